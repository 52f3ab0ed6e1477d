// Allreduce "rabenseifner": a reduce-scatter by halving, then an allgather by doubling; for long data.
#include "workloads/generator/collective/allreduce_halving_plan.hpp"

namespace weft::workloads {
namespace {

// Thakur, Rabenseifner, Gropp 2005, section 4.5; Open MPI's "rabenseifner".
const bool allreduce_rabenseifner_registered =
    add_collective({.operation = "allreduce",
                    .algorithm = "rabenseifner",
                    .help = "step k: exchange halves of what is left with r xor 2^k; then back again with the sums "
                            "(Open MPI: rabenseifner); any number of tasks",
                    .make = collective_program<AllreduceHalving<false>>,
                    .carries = AllreduceHalving<false>::carries,
                    .combines = AllreduceHalving<false>::combines,
                    .divides = true});

}  // namespace
}  // namespace weft::workloads
