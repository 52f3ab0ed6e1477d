// Allreduce "reduce-scatter-allgather": MPICH's form of Rabenseifner's algorithm.
#include "workloads/generator/collective/allreduce_halving_plan.hpp"

namespace weft::workloads {
namespace {

// MPICH's "reduce-scatter-allgather".
const bool allreduce_reduce_scatter_allgather_registered =
    add_collective({.operation = "allreduce",
                    .algorithm = "reduce-scatter-allgather",
                    .help = "as rabenseifner, in blocks of m / 2^b, and of a pair one task gives the other all (MPICH: "
                            "reduce-scatter-allgather); any number of tasks",
                    .make = collective_program<AllreduceHalving<true>>,
                    .carries = AllreduceHalving<true>::carries,
                    .combines = AllreduceHalving<true>::combines,
                    .divides = true});

}  // namespace
}  // namespace weft::workloads
