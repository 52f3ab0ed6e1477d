// A policy of placement from outside the source folders: docs/adding-a-placement.md.
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "workloads/program/placement/policy.hpp"

namespace weft::workloads {
namespace {

void check_stride(u64 stride, const PlacementSpec& spec) {
  if (stride < spec.nodes || stride == 1) return;
  throw ConfigError(fmt::format("placement.stride_nodes = {} leaves no second node (the network has {}); use {}",
                                stride, spec.nodes, spec.nodes > 2 ? spec.nodes - 1 : 1));
}

/// Every placement.stride_nodes-th node, then those behind them, and so on.
std::vector<NodeId> every_few_nodes(const PlacementSpec& spec) {
  const u64 stride = static_cast<u64>(spec.keys.integer("stride_nodes"));
  check_stride(stride, spec);
  std::vector<NodeId> order;
  for (u64 first = 0; first < stride; ++first) {
    for (u64 node = first; node < spec.nodes; node += stride) order.emplace_back(static_cast<u32>(node));
  }
  return order;
}

const bool stride_registered = PlacementRegistry::instance().add(
    "stride", {.help = "every placement.stride_nodes-th node, then those behind them",
               .order = every_few_nodes,
               .settings = {row::integer("placement.stride_nodes", "nodes", 1, {1, 1 << 20},
                                         "from one node to the one that is filled next.")}});

}  // namespace
}  // namespace weft::workloads
