// Puts the report together; see the header.
#include "tools/report/report.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <set>

#include "engine/base/error.hpp"
#include "engine/base/file/atomic_file.hpp"
#include "engine/base/text/numbers.hpp"
#include "tools/report/report_parts.hpp"
#include "tools/report/study_curves.hpp"
#include "tools/result/hdf5_result.hpp"

namespace weft::tools {
namespace {

/// Warnings of the runs, each once, with those that have it.
void add_warnings(page::Page& page, const ReportRuns& runs) {
  constexpr std::size_t most_warnings = 12;
  std::vector<std::pair<std::string, std::vector<std::string>>> all;
  for (const ReportRun& run : runs) {
    for (const std::string& warning : run.result->warnings) {
      if (warning.empty()) continue;
      const auto known = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.first == warning; });
      if (known == all.end()) {
        all.push_back({warning, {run.name}});
      } else if (known->second.back() != run.name) {
        known->second.push_back(run.name);
      }
    }
  }
  for (std::size_t ix = 0; ix < std::min(all.size(), most_warnings); ++ix) {
    const auto& [warning, names] = all[ix];
    const std::string who = runs.size() == 1    ? ""
                            : names.size() == 1 ? names[0] + ": "
                                                : counted(names.size(), "run") + ": ";
    page.note(who + warning, "warning");
  }
  if (all.size() > most_warnings)
    page.note(fmt::format("and {} other warnings, which the results hold", all.size() - most_warnings), "warning");
}

void add_configs(page::Page& page, const ReportRuns& runs) {
  constexpr std::size_t most_configs = 100;
  page.section("configs", "Configs", true);
  for (std::size_t ix = 0; ix < std::min(runs.size(), most_configs); ++ix) {
    const RunResult& r = *runs[ix].result;
    page.figure({{"kind", "text"},
                 {"title", runs[ix].name},
                 {"caption", "digest " + r.digest},
                 {"wide", runs.size() == 1},
                 {"text", r.config_toml.empty() ? r.config_json : r.config_toml}});
  }
  if (runs.size() > most_configs)
    page.note(fmt::format("Those of the other {} runs are in their results.", runs.size() - most_configs));
}

/// "..._0123456789abcdef": files of weft sweep, which hold the settings of a point and a hash.
bool is_point(const std::string& name) {
  constexpr std::size_t hash = 16;
  return name.size() > hash + 1 && name[name.size() - hash - 1] == '_' &&
         name.find_first_not_of("0123456789abcdef", name.size() - hash) == std::string::npos;
}

/// Gives points of sweeps names of the settings in which they differ, where that tells them apart.
void name_points(std::vector<NamedResult>& runs) {
  if (runs.size() < 2 || !std::ranges::all_of(runs, [](const NamedResult& run) { return is_point(run.name); })) return;
  std::vector<std::map<std::string, std::string>> configs;
  std::map<std::string, std::set<std::string>> values;
  for (const NamedResult& run : runs) {
    configs.push_back(flat_config(run.result));
    for (const auto& [key, value] : configs.back()) values[key].insert(value);
  }
  std::vector<std::string> names(runs.size());
  for (const auto& [key, different] : values) {
    if (different.size() < 2) continue;
    std::string label = key.substr(key.find('.') + 1) + " ";
    std::ranges::replace(label, '_', ' ');
    for (std::size_t ix = 0; ix < runs.size(); ++ix) {
      const std::string value = configs[ix].contains(key) ? configs[ix][key] : "";
      if (value.empty() || value == "null") continue;
      names[ix] += (names[ix].empty() ? "" : ", ") + (std::isnan(study_number(value)) ? value : label + value);
    }
  }
  const std::set<std::string> distinct(names.begin(), names.end());
  if (distinct.size() != runs.size() || distinct.contains("")) return;
  for (std::size_t ix = 0; ix < runs.size(); ++ix) runs[ix].name = names[ix];
}

}  // namespace

std::string runs_text(const std::vector<NamedResult>& runs) {
  std::string text = counted(runs.size(), "run");
  const auto add = [&](u8 mark, const char* what) {
    const auto count =
        std::ranges::count_if(runs, [mark](const NamedResult& run) { return (marks_of(run.result) & mark) != 0; });
    if (count > 0) text += fmt::format(", {} {}", runs.size() == 1 ? "" : grouped(static_cast<u64>(count)), what);
  };
  add(1, "saturated");
  add(2, "not converged");
  for (std::size_t at = text.find(",  "); at != std::string::npos; at = text.find(",  ")) text.erase(at + 1, 1);
  return text;
}

void add_runs(page::Page& page, const std::vector<NamedResult>& named) {
  ReportRuns runs;
  for (const NamedResult& run : named) runs.push_back({&run.result, run.name, clock_of(page, run.result)});
  if (runs.empty()) return;
  page.section("what", "What was run");
  add_warnings(page, runs);
  add_headline(page, runs);
  add_curves(page, runs);
  add_run_table(page, runs);
  add_distribution(page, runs);
  add_evolution(page, runs);
  add_flows(page, runs);
  add_jobs(page, runs);
  add_activities(page, runs);
  add_traffic(page, runs);
  add_pictures(page, runs);
  add_key_figures(page, runs);
  add_engine(page, runs);
  add_differences(page, runs);
  add_configs(page, runs);
}

std::string report_page(const std::vector<NamedResult>& runs) {
  page::Page page(runs.size() == 1 ? runs[0].name : "weft report");
  page.lead(runs_text(runs));
  add_runs(page, runs);
  return page.html();
}

std::vector<NamedResult> read_results(const std::vector<std::string>& paths) {
  std::map<std::string, int> stems;
  const auto stem_of = [](const std::string& path) { return std::filesystem::path(path).stem().string(); };
  for (const std::string& path : paths) ++stems[stem_of(path)];
  std::vector<NamedResult> runs;
  for (const std::string& path : paths)
    runs.push_back({stems[stem_of(path)] > 1 ? path : stem_of(path), read_hdf5(path)});
  name_points(runs);
  return runs;
}

void write_page(const page::Page& page, const std::string& path) { files::write_file_atomically(path, page.html()); }

void write_report(const std::vector<std::string>& result_paths, const std::string& html_path) {
  if (result_paths.empty())
    throw ConfigError("no results to report (the list is empty); name result files: weft report RESULT.h5...");
  files::write_file_atomically(html_path, report_page(read_results(result_paths)));
}

}  // namespace weft::tools
