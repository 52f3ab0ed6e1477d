// Placement "round-robin": tasks are dealt out to the groups of the network.
#include "workloads/program/placement/policy.hpp"

namespace weft::workloads {
namespace {

[[maybe_unused]] const bool round_robin_registered = PlacementRegistry::instance().add(
    "round-robin", {.help = "one node of each group in turn, of networks with groups",
                    .order =
                        [](const PlacementSpec& spec) {
                          std::vector<NodeId> order;
                          for (u32 k = 0; k < spec.group_nodes; ++k) {
                            for (u64 node = k; node < spec.nodes; node += spec.group_nodes)
                              order.emplace_back(static_cast<u32>(node));
                          }
                          return order;
                        },
                    .needs = PlacementNeeds::groups,
                    .instead = "shuffle",
                    .of_network = true});

}  // namespace
}  // namespace weft::workloads
