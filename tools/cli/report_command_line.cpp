// Declares the commands that show results; see the header.
#include "tools/cli/report_command_line.hpp"

#include <memory>

#include "tools/cli/commands.hpp"

namespace weft::tools {

void add_report(CLI::App& app, Command& chosen) {
  const auto options = std::make_shared<ReportOptions>();
  CLI::App* command = app.add_subcommand("report", "results as one self-contained HTML page to be explored");
  command
      ->add_option("RESULT", options->results, "results of weft run, sweep, scaling and fabric ebb, any number of them")
      ->type_name("RESULT.h5")
      ->required();
  command->add_option("-o,--out", options->out, "the page")->type_name("REPORT.html")->required();
  command->footer(
      "Examples:\n"
      "  weft report torus.h5 --out torus.html\n"
      "  weft report results/torus-load/points/*.h5 --out curves.html");
  command->callback([options, &chosen] { chosen = on_first_rank([options] { make_report(*options); }); });
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

}  // namespace weft::tools
