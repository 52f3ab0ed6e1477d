// Kind "burst": all nodes send some packets, again and again.
#include "workloads/generator/kind/workload_kind.hpp"

namespace weft::workloads {
namespace {

[[maybe_unused]] const bool burst_registered = WorkloadRegistry::instance().add(
    "burst", {.help = "every node sends some packets, again when the network is empty",
              .place = 1,
              .settings = {row::integer("workload.burst_packets", "packets", 10, {1, 1'000'000'000},
                                        "packets of each node in a burst."),
                           row::integer("workload.bursts", "bursts", 1, {1, 1'000'000'000}, "number of bursts."),
                           row::real("workload.burst_load", "phits/node/cycle", 0.0, {0.0, 65536.0},
                                     "load at which a node generates its packets, in each cycle by chance; one that "
                                     "finds its NIC full waits. 0: as fast as the NIC takes them.")},
              .sources = [](const Parameters& keys) {
                return SourceRules{.bursts = static_cast<u64>(keys.integer("bursts")),
                                   .burst_packets = static_cast<u32>(keys.integer("burst_packets")),
                                   .burst_load = keys.real("burst_load")};
              }});

}  // namespace
}  // namespace weft::workloads
