// The figure of who sends how much to whom.
#pragma once

#include <string>
#include <vector>

#include "tools/report/page/page.hpp"
#include "tools/result/run_result.hpp"

namespace weft::tools {

/// Pairs with what they have, sorted as they like.
struct TrafficTable {
  struct Value {
    std::string name, unit;
    std::string quantity;      ///< "time", "data": the page converts it; empty: it does not
    std::vector<u64> counts;   ///< [pair]; or
    std::vector<float> means;  ///< [pair], each weighted by value 0
  };
  std::string what;           ///< "node", "task"
  u32 side = 0;               ///< how many there are
  std::vector<u32> from, to;  ///< [pair], below `side`
  std::vector<Value> values;
};

/// More of them would not be shown: larger maps need hours to be looked at.
inline constexpr u32 most_map_side = 1 << 22;

/// A figure of the kind "matrix"; null without pairs.
[[nodiscard]] page::Json traffic_figure(page::Page& page, const TrafficTable& table);

/// The figure of a run with statistics.pairs; null without pairs.
[[nodiscard]] page::Json traffic_figure(page::Page& page, const RunResult& result);

}  // namespace weft::tools
