// Placement "shift": INSEE's, nodes by number from another one on.
#include "workloads/program/placement/policy.hpp"

namespace weft::workloads {
namespace {

[[maybe_unused]] const bool shift_registered = PlacementRegistry::instance().add(
    "shift", {.help = "nodes by number, beginning with node placement.shift_nodes and going round",
              .order =
                  [](const PlacementSpec& spec) {
                    const u64 first = static_cast<u64>(spec.keys.integer("shift_nodes"));
                    std::vector<NodeId> order;
                    for (u32 place = 0; place < spec.nodes; ++place)
                      order.emplace_back(static_cast<u32>((first + place) % spec.nodes));
                    return order;
                  },
              .settings = {row::integer("placement.shift_nodes", "nodes", 0, {0, 1 << 30},
                                        "number of the node that is filled first; beyond the last it goes round.")}});

}  // namespace
}  // namespace weft::workloads
