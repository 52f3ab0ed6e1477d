// Placement "consecutive": nodes by number.
#include "workloads/program/placement/policy.hpp"

namespace weft::workloads {
namespace {

[[maybe_unused]] const bool consecutive_registered = PlacementRegistry::instance().add(
    "consecutive",
    {.help = "nodes by number: task i on node i / workload.tasks_per_node", .order = [](const PlacementSpec& spec) {
       std::vector<NodeId> order;
       for (u32 node = 0; node < spec.nodes; ++node) order.emplace_back(node);
       return order;
     }});

}  // namespace
}  // namespace weft::workloads
