// Placement "random": nodes in an order that the seed draws.
#include "workloads/program/placement/policy.hpp"

namespace weft::workloads {
namespace {

[[maybe_unused]] const bool random_registered = PlacementRegistry::instance().add(
    "random", {.help = "nodes in a random order, drawn from simulation.seed", .order = [](const PlacementSpec& spec) {
                 std::vector<NodeId> order;
                 for (const u32 node : drawn_order(spec.seed, spec.nodes)) order.emplace_back(node);
                 return order;
               }});

}  // namespace
}  // namespace weft::workloads
