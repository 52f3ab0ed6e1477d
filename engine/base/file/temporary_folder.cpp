// Makes and removes temporary folders; see the header.
#include "engine/base/file/temporary_folder.hpp"

#include <cerrno>
#include <filesystem>
#include <fmt/format.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <system_error>

#include "engine/base/error.hpp"
#include "engine/base/system/keeper.hpp"
#include "engine/base/types.hpp"

namespace weft::files {

/// Named first, then made: of a process that is killed in between nothing is left.
TemporaryFolder::TemporaryFolder(const std::string& what) {
  constexpr int most_tries = 100;
  std::error_code error;
  const std::filesystem::path place = std::filesystem::temp_directory_path(error);
  for (int tries = 1; !error; ++tries) {
    u64 number = 0;
    if (::getrandom(&number, sizeof number, 0) == sizeof number) {
      path_ = (place / fmt::format("weft-{}-{:016x}", what, number)).string();
      keeper::keep_path(path_);
      if (::mkdir(path_.c_str(), S_IRWXU) == 0) return;
    }
    error.assign(errno, std::generic_category());
    keeper::forget_path(path_);
    if (error == std::errc::file_exists && tries < most_tries) error.clear();
  }
  throw SystemError(
      fmt::format("cannot make a folder for {} ({}); set TMPDIR to one that can be written", what, error.message()));
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
  keeper::forget_path(path_);
}

}  // namespace weft::files
