// The report: one self-contained HTML page about results, to be explored, mailed, archived or opened from disk.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tools/report/page/page.hpp"
#include "tools/report/run_names.hpp"

namespace weft::tools {

/// Adds everything about the runs: headline, curves over what differs, evolution, distributions, jobs, engine,
/// settings, configs.
void add_runs(page::Page& page, const std::vector<NamedResult>& runs);

/// A page of them alone.
[[nodiscard]] std::string report_page(const std::vector<NamedResult>& runs);

/// What is there, with what cannot be trusted: "60 runs, 12 saturated, 3 not converged".
[[nodiscard]] std::string runs_text(const std::vector<NamedResult>& runs);

/// Reads results of runs. Names are the files' stems, or their paths where stems repeat. Throws InputError.
[[nodiscard]] std::vector<NamedResult> read_results(const std::vector<std::string>& paths);

/// Writes a page, whole or not at all. Throws SystemError.
void write_page(const page::Page& page, const std::string& path);

/// Reads the result files and writes the page. Throws InputError (a result cannot be read), SystemError (the page
/// cannot be written), ConfigError (no results given).
void write_report(const std::vector<std::string>& result_paths, const std::string& html_path);

}  // namespace weft::tools
