// Makes and removes temporary folders; see the header.
#include "engine/base/file/temporary_folder.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <stdlib.h>

#include "engine/base/error.hpp"
#include "engine/base/system/keeper.hpp"

namespace weft::files {

TemporaryFolder::TemporaryFolder(const std::string& what) {
  constexpr const char* unique = "XXXXXX";  // mkdtemp puts letters in their place
  std::error_code error;
  path_ = (std::filesystem::temp_directory_path(error) / fmt::format("weft-{}-{}", what, unique)).string();
  if (error || ::mkdtemp(path_.data()) == nullptr)
    throw SystemError(fmt::format("cannot make a folder for {} ({}); set TMPDIR to one that can be written", what,
                                  error ? error.message() : std::strerror(errno)));
  keeper::keep_path(path_);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
  keeper::forget_path(path_);
}

}  // namespace weft::files
