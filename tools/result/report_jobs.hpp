// The part of the report that shows several jobs.
#pragma once

#include <string>

#include "tools/result/run_result.hpp"

namespace weft::tools {

/// A table as HTML, a row for each job; empty if there are none.
[[nodiscard]] std::string jobs_table(const RunResult& result);

/// The same of flows, all of them first, then by size.
[[nodiscard]] std::string flows_table(const RunResult& result);

}  // namespace weft::tools
