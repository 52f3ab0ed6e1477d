// Errors about the shape of a network: the key, the reason, and the nearest shape that is possible.
#include "models/topology/shape_check.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/nearest.hpp"

namespace weft::models {

void refuse_shape(const std::string& key, const std::string& value, const std::string& reason,
                  const std::string& suggestion) {
  throw ConfigError(fmt::format("topology.{} = {} is not possible ({}); use {}", key, value, reason, suggestion));
}

void need_shape(const Parameters& keys, const std::string& key, const std::string& network, const std::string& what,
                const std::string& example) {
  if (keys.has(key)) return;
  throw ConfigError(fmt::format("topology.{} is missing ({} needs {}); use e.g. {}", key, network, what, example));
}

namespace {

std::string reason_against(const std::vector<i64>& dims, const DimensionLimits& limits) {
  if (dims.size() < limits.least || dims.size() > limits.most) {
    const std::string range =
        limits.least == limits.most
            ? std::to_string(limits.least)
            : fmt::format("{} {} {}", limits.least, limits.most == limits.least + 1 ? "or" : "to", limits.most);
    return fmt::format("{} has {} dimensions", limits.network, range);
  }
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if (dims[d] < 1) return fmt::format("dimension {} has {} routers, at least 1 is needed", d, dims[d]);
  }
  return product_up_to(dims, most_nodes) > most_nodes ? fmt::format("more than {} routers", most_nodes)
                                                      : "a network has at least 2 routers";
}

}  // namespace

std::vector<u32> checked_dims(const Parameters& keys, const DimensionLimits& limits) {
  const std::vector<i64> dims = keys.has("dims") ? keys.integers("dims") : std::vector<i64>{};
  if (dims.empty()) {
    throw ConfigError(
        fmt::format("topology.dims is missing or empty ({} needs the number of routers in each dimension); use e.g. "
                    "dims = {}",
                    limits.network, list_text(std::vector<i64>(limits.least, 8))));
  }
  std::vector<i64> valid = dims;
  valid.resize(std::clamp(valid.size(), limits.least, limits.most), dims.back());
  valid = nearest_factors(std::move(valid), most_nodes);
  if (product_up_to(valid, most_nodes) < 2) valid[0] = 2;
  if (valid != dims) refuse_shape("dims", list_text(dims), reason_against(dims, limits), "dims = " + list_text(valid));
  return {dims.begin(), dims.end()};
}

u32 checked_count(const Parameters& keys, const std::string& key, IntegerRange range, const std::string& network,
                  i64 example) {
  need_shape(keys, key, network, "it", fmt::format("{} = {}", key, example));
  const i64 asked = keys.integer(key), valid = std::clamp(asked, range.least, range.most);
  if (asked != valid) {
    refuse_shape(key, std::to_string(asked), fmt::format("{} has {} to {} of them", network, range.least, range.most),
                 fmt::format("{} = {}", key, valid));
  }
  return static_cast<u32>(valid);
}

Setting dims_row(const std::string& help) { return row::integers("topology.dims", "routers", {1, 1 << 30}, help); }

Setting nodes_row() { return row::integer("topology.nodes", "nodes", std::nullopt, {1, 1 << 30}, "number of nodes."); }

Setting unidirectional_row() {
  return row::boolean("topology.unidirectional", false,
                      "packets travel up only (through the even ports), round one-way rings.");
}

std::string dims_text(const std::vector<u32>& dims) { return fmt::format("{}", fmt::join(dims, "x")); }

}  // namespace weft::models
