// The part of the report that shows what [statistics] asked for.
#pragma once

#include <string>

#include "tools/result/run_result.hpp"

namespace weft::tools {

/// Charts and a table as HTML, each a <div>; empty if nothing was asked for.
[[nodiscard]] std::string statistics_charts(const ExtraStatistics& extra);

}  // namespace weft::tools
