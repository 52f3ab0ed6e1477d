// The part of the report that shows what tasks with lanes did, and when.
#pragma once

#include <string>

#include "tools/result/run_result.hpp"

namespace weft::tools {

/// A table, and the timeline of those tasks that statistics.timeline_tasks names; empty without activities.
[[nodiscard]] std::string activities_section(const RunResult& result);

}  // namespace weft::tools
