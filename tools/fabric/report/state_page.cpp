// Sorted bandwidths are the curve.
#include "tools/fabric/report/state_page.hpp"

#include <algorithm>

namespace weft::tools {

void add_bisect_curves(page::Page& page, const std::string& title, const std::vector<BisectSeries>& all) {
  using page::Json;
  Json series = Json::array();
  for (const BisectSeries& one : all) {
    std::vector<double> sorted = one.bandwidths, below;
    std::ranges::sort(sorted);
    for (std::size_t ix = 0; ix < sorted.size(); ++ix)
      below.push_back(static_cast<double>(ix + 1) / static_cast<double>(sorted.size()));
    if (sorted.size() > 1)
      series.push_back(
          {{"label", one.label}, {"x", page.numbers(sorted)}, {"y", page.numbers(below)}, {"draw", "steps"}});
  }
  if (series.empty()) return;
  page.figure({{"kind", "curves"},
               {"title", title},
               {"caption", "share of the patterns that get no more than so much of a link's bandwidth"},
               {"x", {{"label", "bandwidth"}, {"quantity", "share"}, {"tight", true}}},
               {"y", {{"label", "share of the patterns"}, {"quantity", "share"}}},
               {"series", series}});
}

}  // namespace weft::tools
