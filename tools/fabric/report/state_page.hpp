// Routed fabrics side by side on a page: how many of their bisections get how much.
#pragma once

#include <string>
#include <vector>

#include "tools/report/page/page.hpp"

namespace weft::tools {

/// Bandwidths of bisections of one of them.
struct BisectSeries {
  std::string label;
  std::vector<double> bandwidths;  ///< [pattern]
};

/// Curves of how many patterns get no more than so much; nothing where none has two patterns.
void add_bisect_curves(page::Page& page, const std::string& title, const std::vector<BisectSeries>& all);

}  // namespace weft::tools
