// The page of a sweep: curves over the swept settings and the table of all points, on a page that people explore.
#pragma once

#include <string>

#include "tools/report/page/page.hpp"
#include "tools/study/sweep_table.hpp"

namespace weft::tools::sweep {

/// Adds curves over one numeric setting (workload.offered_load if it is swept, else the one with most values; settings
/// that change with it are named), a curve for each choice of the others, means over seeds with their confidence; the
/// points with their states; what is missing and why; the study.
void add_sweep(page::Page& page, const SweepTable& table);

/// A page of it alone.
[[nodiscard]] std::string sweep_page(const SweepTable& table);

}  // namespace weft::tools::sweep
