// Reduce "reduce-scatter-gather": MPICH's form of Rabenseifner's algorithm.
#include "workloads/generator/collective/reduce_halving_plan.hpp"

namespace weft::workloads {
namespace {

// MPICH's "reduce-scatter-gather".
const bool reduce_reduce_scatter_gather_registered =
    add_collective({.operation = "reduce",
                    .algorithm = "reduce-scatter-gather",
                    .help = "as rabenseifner, in blocks of m / 2^b, and of a pair one task gives the other all (MPICH: "
                            "reduce-scatter-gather); any number of tasks",
                    .make = collective_program<ReduceHalving<true>>,
                    .carries = ReduceHalving<true>::carries,
                    .combines = ReduceHalving<true>::combines,
                    .divides = true});

}  // namespace
}  // namespace weft::workloads
