// A result for spreadsheets: the figures of a run in one file, its tables in others beside it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tools/result/run_result.hpp"

namespace weft::tools {

/// Path and text of each file: `path` itself with a line "figure,value,unit" for each single figure of the summary, and
/// STEM.TABLE.csv (run.series.csv, run.batches.csv ...) for each table that has rows, with a column for each figure.
/// Figures that a run does not have are left out; values that are not known are empty.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> csv_files(const RunResult& result,
                                                                         const std::string& path);

/// Writes them, `path` last. Throws SystemError.
void write_csv(const RunResult& result, const std::string& path);

}  // namespace weft::tools
