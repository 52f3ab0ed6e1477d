// Starts modules of weft's Python package; see the header.
#include "engine/base/system/python_package.hpp"

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

#include "engine/base/error.hpp"
#include "engine/base/system/program_path.hpp"
#include "engine/base/system/run_weft.hpp"

namespace weft::process {

std::string folder_of_package() {
  namespace fs = std::filesystem;
  const fs::path bin = fs::path(this_program()).parent_path();
  for (const fs::path& folder : {bin / "../lib/python3/dist-packages", bin / "../../../tools/python"}) {
    std::error_code ignored;
    if (fs::exists(folder / "weft/__init__.py", ignored)) return folder.lexically_normal().string();
  }
  return {};
}

std::string python() {
  const char* const named = std::getenv("WEFT_PYTHON");
  if (named != nullptr && *named != '\0') return named;
  return ::access("/usr/bin/python3", X_OK) == 0 ? "/usr/bin/python3" : "python3";
}

std::vector<std::string> python_command(const std::string& module) {
  const std::string program = this_program();
  if (program_path(python()).empty()) {
    throw SystemError(
        fmt::format("there is no '{}' to start {} with; install the package python3 (3.11 or newer; apt-get install "
                    "python3 on Debian), or name an interpreter in WEFT_PYTHON",
                    python(), module));
  }
  // `env` sets variables for the child alone.
  std::vector<std::string> command{"/usr/bin/env", "PYTHONDONTWRITEBYTECODE=1", "WEFT_BINARY=" + program};
  if (const std::string folder = folder_of_package(); !folder.empty()) {
    const char* const before = std::getenv("PYTHONPATH");
    command.push_back(
        fmt::format("PYTHONPATH={}{}{}", folder, before == nullptr ? "" : ":", before == nullptr ? "" : before));
  }
  command.insert(command.end(), {python(), "-m", module});
  return command;
}

}  // namespace weft::process
