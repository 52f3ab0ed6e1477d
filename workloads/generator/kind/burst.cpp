// Kind "burst": all nodes send some packets at once, again and again.
#include "workloads/generator/kind/workload_kind.hpp"

namespace weft::workloads {
namespace {

[[maybe_unused]] const bool burst_registered = WorkloadRegistry::instance().add(
    "burst", {.help = "every node sends some packets at once, again when the network is empty",
              .place = 1,
              .settings = {row::integer("workload.burst_packets", "packets", 10, {1, 1'000'000'000},
                                        "packets of each node in a burst."),
                           row::integer("workload.bursts", "bursts", 1, {1, 1'000'000'000}, "number of bursts.")},
              .sources = [](const Parameters& keys) {
                return SourceRules{.bursts = static_cast<u64>(keys.integer("bursts")),
                                   .burst_packets = static_cast<u32>(keys.integer("burst_packets"))};
              }});

}  // namespace
}  // namespace weft::workloads
