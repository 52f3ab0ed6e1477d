// The page of a sweep: curves over the swept settings and the table of all points, as self-contained HTML.
#pragma once

#include <string>

#include "tools/sweep/sweep_table.hpp"

namespace weft::tools::sweep {

/// Charts over one numeric setting (workload.offered_load if it is swept, else the one with most values; settings of
/// the same axis change with it), a curve for each choice of the others, the mean over seeds; as many charts as all
/// curves need. Latency curves are cut where they leave the chart, which says so. UTF-8, no scripts, no references.
[[nodiscard]] std::string sweep_page(const SweepTable& table);

}  // namespace weft::tools::sweep
