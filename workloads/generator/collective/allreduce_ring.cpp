// Allreduce "ring": blocks of the data go round the ring of all tasks twice; for long data.
#include "workloads/generator/collective/allreduce_ring_plan.hpp"

namespace weft::workloads {
namespace {

// Patarasuk and Yuan, JPDC 69(2), 2009; MPICH's and Open MPI's "ring".
const bool allreduce_ring_registered = add_collective(
    {.operation = "allreduce",
     .algorithm = "ring",
     .help =
         "P - 1 steps: send a block to r + 1, add what comes from r - 1; P - 1 more with the sums (MPICH, Open MPI: "
         "ring); any number of tasks",
     .make = collective_program<AllreduceRing>,
     .carries = allreduce_ring_carries,
     .combines = allreduce_ring_combines,
     .divides = true});

}  // namespace
}  // namespace weft::workloads
