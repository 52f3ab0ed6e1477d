// Makes and removes temporary folders; see the header.
#include "engine/base/file/temporary_folder.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <sys/stat.h>
#include <system_error>

#include "engine/base/error.hpp"
#include "engine/base/system/keeper.hpp"

namespace weft::files {

TemporaryFolder::TemporaryFolder(const std::string& what) {
  std::error_code error;
  const std::filesystem::path place = std::filesystem::temp_directory_path(error);
  if (!error) {
    path_ = keeper::make_kept((place / fmt::format("weft-{}-", what)).string(),
                              [](const char* path) { return ::mkdir(path, S_IRWXU); }, error);
  }
  if (error) {
    throw SystemError(
        fmt::format("cannot make a folder for {} ({}); set TMPDIR to one that can be written", what, error.message()));
  }
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
  keeper::forget_path(path_);
}

}  // namespace weft::files
