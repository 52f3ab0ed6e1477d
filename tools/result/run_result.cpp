// What a result works out of its lists; see the header.
#include "tools/result/run_result.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "engine/base/deviation.hpp"

namespace weft::tools {

void keep_busiest(std::vector<BusyLink>& links) {
  constexpr std::size_t most = 20;
  std::ranges::stable_sort(links, std::greater<>{},
                           [](const BusyLink& link) { return std::pair(link.utilisation, link.packets); });
  links.resize(std::min(links.size(), most));
}

TaskTimes RunResult::task_times() const {
  if (told_task_times) return *told_task_times;
  const std::vector<double> finished = finished_cycles();
  if (finished.empty()) return {};
  const auto [first, last] = std::ranges::minmax(finished);
  return {finished.size(), first, stats::mean_of(finished), last};
}

}  // namespace weft::tools
