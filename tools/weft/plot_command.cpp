// `weft plot`: figures in the quality of a paper, drawn by the Python package of weft.
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

#include "engine/error.hpp"
#include "tools/files/output_path.hpp"
#include "tools/files/standard_output.hpp"
#include "tools/process/child_process.hpp"
#include "tools/process/run_weft.hpp"
#include "tools/weft/commands.hpp"

namespace weft::tools {
namespace {

namespace fs = std::filesystem;

/// The interpreter: Debian's own has the modules; another may be named.
std::string python() {
  const char* const named = std::getenv("WEFT_PYTHON");
  if (named != nullptr && *named != '\0') return named;
  return ::access("/usr/bin/python3", X_OK) == 0 ? "/usr/bin/python3" : "python3";
}

/// The folder that the package is in: installed with this program, or in its source tree; empty if Python has to know.
std::string folder_of_package(const std::string& program) {
  const fs::path bin = fs::path(program).parent_path();
  for (const fs::path& folder : {bin / "../lib/python3/dist-packages", bin / "../../../tools/python"}) {
    std::error_code ignored;
    if (fs::exists(folder / "weft/plot/__main__.py", ignored)) return folder.lexically_normal().string();
  }
  return {};
}

}  // namespace

void plot_results(const PlotOptions& options) {
  files::CommandFiles files;
  for (const std::string& result : options.results) files.reads("a result", result);
  files.writes("--out", options.out);
  files::check_ending("--out", options.out, files::figure_format());
  const std::string program = process::this_program();
  // `env` sets variables for the child alone.
  std::vector<std::string> command{"/usr/bin/env", "PYTHONDONTWRITEBYTECODE=1", "WEFT_BINARY=" + program};
  if (const std::string folder = folder_of_package(program); !folder.empty()) {
    const char* const before = std::getenv("PYTHONPATH");
    command.push_back(
        fmt::format("PYTHONPATH={}{}{}", folder, before == nullptr ? "" : ":", before == nullptr ? "" : before));
  }
  command.insert(command.end(), {python(), "-m", "weft.plot", "--x", options.x, "--y", options.y, "--errors",
                                 options.errors, "--log", options.log, "--width", options.width, "--out", options.out});
  for (const std::string& key : options.by) command.insert(command.end(), {"--by", key});
  command.emplace_back("--");
  command.insert(command.end(), options.results.begin(), options.results.end());
  const process::ChildOutcome outcome = process::run_child(command);
  if (outcome.exit_code == 0) return files::print(outcome.output);
  constexpr std::string_view mark = "weft: error: ";
  const std::size_t found = outcome.error.find(mark);
  if (found == std::string::npos) {
    throw SystemError(
        fmt::format("{} could not draw (weft plot needs Python with the package of weft and its modules); "
                    "install python3-matplotlib, python3-pandas and python3-h5py, or set WEFT_PYTHON",
                    python()),
        outcome.error);
  }
  const std::string text = outcome.error.substr(found + mark.size());
  const std::size_t end = text.find('\n');
  const int code = outcome.exit_code;
  throw Error(code >= 2 && code <= 5 ? static_cast<ExitCode>(code) : ExitCode::system, text.substr(0, end),
              end == std::string::npos ? "" : text.substr(end + 1));
}

}  // namespace weft::tools
