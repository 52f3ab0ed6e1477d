// Placement "clustered": whole groups of the network in random order, as if others had them before.
#include <algorithm>

#include "workloads/program/placement/policy.hpp"

namespace weft::workloads {
namespace {

std::vector<NodeId> group_after_group(const PlacementSpec& spec) {
  const u32 groups = (spec.nodes - 1) / spec.group_nodes + 1;
  std::vector<NodeId> order;
  for (const u32 group : drawn_order(spec.seed, groups)) {
    const u64 first = u64{group} * spec.group_nodes, end = std::min<u64>(first + spec.group_nodes, spec.nodes);
    for (u64 node = first; node < end; ++node) order.emplace_back(static_cast<u32>(node));
  }
  return order;
}

[[maybe_unused]] const bool clustered_registered = PlacementRegistry::instance().add(
    "clustered", {.help = "group after group in a random order, drawn from simulation.seed, nodes of a group by number",
                  .order = group_after_group,
                  .needs = PlacementNeeds::groups,
                  .instead = "random",
                  .of_network = true});

}  // namespace
}  // namespace weft::workloads
