// Allreduce "segmented-ring": the ring of sums in phases, a segment of each block at a time.
#include "workloads/generator/collective/allreduce_ring_plan.hpp"

namespace weft::workloads {
namespace {

// Open MPI's "segmented ring"; 1 MiB is the segment that its own rules ask for.
const bool allreduce_segmented_ring_registered = add_collective(
    {.operation = "allreduce",
     .algorithm = "segmented-ring",
     .help = "as ring, but sums go round in phases, about workload.segment_bytes of each block at a time (Open MPI: "
             "segmented ring); any number of tasks",
     .make = collective_program<AllreduceRing>,
     .carries = allreduce_ring_carries,
     .combines = allreduce_ring_combines,
     .divides = true,
     .segment_bytes = u64{1} << 20});

}  // namespace
}  // namespace weft::workloads
