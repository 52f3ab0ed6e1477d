// `weft plot`: figures in the quality of a paper, drawn by the Python package of weft.
#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/file/output_path.hpp"
#include "engine/base/file/standard_output.hpp"
#include "engine/base/system/child_process.hpp"
#include "engine/base/system/python_package.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/common_options.hpp"

namespace weft::tools {
namespace {

struct PlotOptions {
  std::vector<std::string> results;  ///< the table of a sweep, or results of runs
  std::string x = "load", y = "latency";
  std::vector<std::string> by;  ///< columns that tell curves apart; empty: the axes of the sweep
  std::string errors = "band";  ///< band, bars or none
  std::string log;              ///< axes that are logarithmic: x, y, xy
  std::string width = "single";
  std::string out;
};

/// Draws a figure with the Python package. Throws SystemError where Python or its modules are missing.
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

void add_plot(CLI::App& app, Command& chosen) {
  const auto options = std::make_shared<PlotOptions>();
  CLI::App* command =
      app.add_subcommand("plot", "a figure for a paper: curves of a sweep or of results, PDF, SVG, PNG");
  command->add_option("RESULT", options->results, "the table of a sweep, or results of weft run")
      ->type_name("RESULT.h5")
      ->required();
  command->add_option("--x", options->x, "column to draw over: load, a key or a figure")->capture_default_str();
  command
      ->add_option("--y", options->y,
                   "column to draw: latency, accepted, p99, time, a figure, or a column of the study; of a column of "
                   "curves bars are drawn")
      ->capture_default_str();
  command->add_option("--by", options->by, "columns that tell curves apart; default: the axes of the sweep")
      ->type_name("KEY,KEY,...")
      ->delimiter(',');
  command->add_option("--errors", options->errors, "95 % confidence intervals: band, bars or none")
      ->capture_default_str()
      ->check(CLI::IsMember({"band", "bars", "none"}).description(""));
  command->add_option("--log", options->log, "logarithmic axes: x, y or xy")
      ->check(CLI::IsMember({"x", "y", "xy"}).description(""));
  command->add_option("--width", options->width, "columns of a page: single or double")
      ->capture_default_str()
      ->check(CLI::IsMember({"single", "double"}).description(""));
  command->add_option("-o,--out", options->out, "the figure; the format is that of the name")
      ->type_name("FILE.{pdf,svg,png}")
      ->required();
  command->footer(
      "Drawn by the Python package of weft (docs/python.md), which does more.\n"
      "Examples:\n"
      "  weft plot results/torus-load/torus-load.h5 --x load --y latency --out curves.pdf\n"
      "  weft plot results/torus-load/torus-load.h5 --y accepted --errors bars --out accepted.svg");
  command->callback([options, &chosen] { chosen = on_first_rank([options] { plot_results(*options); }); });
}

[[maybe_unused]] const bool plot_registered = CommandRegistry::instance().add("plot", {.place = 70, .add = add_plot});

}  // namespace
}  // namespace weft::tools
