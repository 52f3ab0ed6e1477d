// What the values of a result must satisfy together, for those that come from a file: the reader knows types and
// lengths only, and pages are drawn from what it hands on.
#pragma once

#include <string>

#include "tools/result/run_result.hpp"

namespace weft::tools {

/// Why no run can have this result; empty if one can. What is missing in files of older versions is no reason.
[[nodiscard]] std::string result_problem(const RunResult& result);

}  // namespace weft::tools
