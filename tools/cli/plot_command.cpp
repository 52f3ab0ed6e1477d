// `weft plot`: figures in the quality of a paper, drawn by the Python package of weft.
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/file/output_path.hpp"
#include "engine/base/file/standard_output.hpp"
#include "engine/base/system/child_process.hpp"
#include "engine/base/system/python_package.hpp"
#include "tools/cli/commands.hpp"

namespace weft::tools {

void plot_results(const PlotOptions& options) {
  files::CommandFiles files;
  for (const std::string& result : options.results) files.reads("a result", result);
  files.writes("--out", options.out, files::figure_format());
  std::vector<std::string> command = process::python_command("weft.plot");
  command.insert(command.end(), {"--x", options.x, "--y", options.y, "--errors", options.errors, "--log", options.log,
                                 "--width", options.width, "--out", options.out});
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
                    process::python()),
        outcome.error);
  }
  const std::string text = outcome.error.substr(found + mark.size());
  const std::size_t end = text.find('\n');
  throw Error(process::exit_code_of(outcome.exit_code), text.substr(0, end),
              end == std::string::npos ? "" : text.substr(end + 1));
}

}  // namespace weft::tools
