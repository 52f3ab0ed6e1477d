// Sorts results by the commands that made them, and puts all on one page.
#include "tools/cli/report_of_files.hpp"

#include <filesystem>

#include "engine/base/file/atomic_file.hpp"
#include "engine/base/file/hdf5_file.hpp"
#include "engine/base/text/numbers.hpp"
#include "tools/fabric/flow_page.hpp"
#include "tools/report/report.hpp"
#include "tools/study/scaling/scaling_page.hpp"
#include "tools/study/sweep_page.hpp"
#include "tools/study/sweep_table_file.hpp"

namespace weft::tools {
namespace {

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

}  // namespace

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

}  // namespace weft::tools
