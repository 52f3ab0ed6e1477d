// Kind "synthetic": packets at random times, the workload of steady states.
#include "engine/base/meaning.hpp"
#include "workloads/generator/kind/workload_kind.hpp"

namespace weft::workloads {
namespace {

[[maybe_unused]] const bool synthetic_registered = WorkloadRegistry::instance().add(
    "synthetic",
    {.help = "packets at random times to destinations of a pattern",
     .place = 0,
     .ends = false,
     .settings =
         {row::real("workload.offered_load", "phits/node/cycle", 0.3, {0.0, 1.0}, "load that each node generates."),
          row::choice(
              "workload.source_queue", "bounded",
              {"bounded", "unbounded", "lossy"},
              "what a source does when its NIC (router.injection_queue_packets) is full. bounded: it "
              "generates nothing until there is free space, so that latency beyond saturation stays that of a "
              "full NIC. unbounded: it goes on, and packets wait at the source; latency counts from "
              "generation, and grows with the run beyond saturation. Waiting packets take no memory, however "
              "many: they are drawn again from their numbers. lossy: a packet that finds the NIC full is lost, and "
              "counted (packets.dropped_at_full_nic).")},
     .sources = [](const Parameters& keys) {
       using enum SourceQueue;
       return SourceRules{
           .offered_load = keys.real("offered_load"),
           .queue = meaning_of<SourceQueue>(keys.text("source_queue"),
                                            {{"bounded", bounded}, {"unbounded", unbounded}, {"lossy", lossy}})};
     }});

}  // namespace
}  // namespace weft::workloads
