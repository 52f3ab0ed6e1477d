// What a network costs, as a table for the terminal and as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "tools/report/cost/network_cost.hpp"

namespace weft::tools::cost {

/// The floor, a line for each part, their sum and its share of a node; `nodes`: those of all planes count once.
[[nodiscard]] std::string cost_text(const NetworkCost& cost, const Measures& measures, u64 nodes);
/// {"currency", "price", "watts", "price_per_node", "watts_per_node", "racks", "rows", "width_m", "depth_m", "cable_m",
/// "parts": [{"what", "name", "count", "ports" or "metres", "longest_m", "price", "watts"}]}
[[nodiscard]] nlohmann::json cost_json(const NetworkCost& cost, u64 nodes);
/// {"switches", "radix", "ports", "crosspoints"}: C, R, L and Q.
[[nodiscard]] nlohmann::json measures_json(const Measures& measures);

}  // namespace weft::tools::cost
