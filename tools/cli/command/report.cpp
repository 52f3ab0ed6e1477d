// `weft report`: sorts results by the commands that made them, and puts all on one page.
#include "tools/report/report.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/file/atomic_file.hpp"
#include "engine/base/file/hdf5_file.hpp"
#include "engine/base/file/output_path.hpp"
#include "engine/base/file/standard_output.hpp"
#include "engine/base/text/numbers.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/common_options.hpp"
#include "tools/fabric/report/flow_page.hpp"
#include "tools/study/scaling/scaling_page.hpp"
#include "tools/study/sweep_page.hpp"
#include "tools/study/sweep_table_file.hpp"

namespace weft::tools {
namespace {

struct ReportOptions {
  std::vector<std::string> results;
  std::string out;
};

std::string format_of(const std::string& path) {
  const files::Hdf5Reader file(path);
  std::string format;
  if (file.has_attribute("format")) file.attribute("format", format);
  return format;
}

struct ReportFiles {
  std::vector<std::string> runs;
  std::vector<sweep::SweepTable> sweeps;
  std::vector<ScalingFile> scalings;
  std::vector<FlowFile> flows;
};

ReportFiles sorted_files(const std::vector<std::string>& paths) {
  ReportFiles files;
  for (const std::string& path : paths) {
    const std::string format = format_of(path);
    if (format == "weft-sweep") {
      files.sweeps.push_back(sweep::read_sweep_table(path));
    } else if (format == "weft-scaling") {
      files.scalings.push_back(read_scaling(path));
    } else if (is_flow_file(format)) {
      files.flows.push_back(read_flow_file(path, std::filesystem::path(path).stem().string()));
    } else {
      files.runs.push_back(path);  // its reader says what is wrong with others
    }
  }
  return files;
}

/// Reads the files, each by what it says it is, and writes the page; says what is in it: "3 runs, 1 sweep". Throws
/// InputError (a file cannot be read), SystemError (the page cannot be written).
std::string write_report_of(const std::vector<std::string>& paths, const std::string& html_path) {
  const ReportFiles files = sorted_files(paths);
  const std::vector<NamedResult> runs = read_results(files.runs);
  std::string what;
  const auto add = [&what](const std::string& text) { what += (what.empty() ? "" : ", ") + text; };
  if (!runs.empty()) add(runs_text(runs));
  if (!files.sweeps.empty()) add(counted(files.sweeps.size(), "sweep"));
  if (!files.scalings.empty())
    add(files.scalings.size() == 1 ? "1 scaling study" : grouped(files.scalings.size()) + " scaling studies");
  if (!files.flows.empty()) add(counted(files.flows.size(), "experiment") + " on fabrics");
  const std::string alone = paths.size() == 1 ? std::filesystem::path(paths[0]).stem().string() : "";
  page::Page page(alone.empty() ? std::filesystem::path(html_path).stem().string() : alone);
  page.lead(what);
  add_runs(page, runs);
  for (const sweep::SweepTable& table : files.sweeps) {
    page.section("sweep-" + table.study.name, "Sweep " + table.study.name);
    page.note(sweep::sweep_counts(table) + "; curves are means over seeds");
    sweep::add_sweep(page, table);
  }
  for (const ScalingFile& scaling : files.scalings) {
    page.section("scaling-" + scaling.name, scaling.name + ": " + scaling.kind + " scaling");
    add_scaling_curves(page, scaling.rows, scaling.cores);
  }
  add_flow_files(page, files.flows);
  files::write_file_atomically(html_path, page.html());
  return what;
}

/// Writes the page that compares results.
void make_report(const ReportOptions& options) {
  files::CommandFiles files;
  for (const std::string& result : options.results) files.reads("a result", result);
  files.writes("--out", options.out, files::page_format());
  const std::string what = write_report_of(options.results, options.out);
  files::print(fmt::format("wrote {}: {}\n", options.out, what));
}

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

[[maybe_unused]] const bool report_registered =
    CommandRegistry::instance().add("report", {.place = 60, .add = add_report});

}  // namespace
}  // namespace weft::tools
