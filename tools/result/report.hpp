// The report: one self-contained HTML page that compares results, to be mailed, archived or opened from disk.
#pragma once

#include <string>
#include <vector>

#include "tools/result/run_result.hpp"

namespace weft::tools {

/// A result and the name that the page gives it.
struct NamedResult {
  std::string name;
  RunResult result;
};

/// The page: key figures side by side, settings that differ, latency distributions together, and per run the load over
/// time, task finish times, deliveries per node, the engine's figures and the config. UTF-8, no scripts, no references.
[[nodiscard]] std::string report_page(const std::vector<NamedResult>& runs);

/// Reads the result files and writes the page, whole or not at all. Names are the files' stems, or their paths where
/// stems repeat. Throws InputError (a result cannot be read), SystemError (the page cannot be written), ConfigError (no
/// results given).
void write_report(const std::vector<std::string>& result_paths, const std::string& html_path);

}  // namespace weft::tools
