// Reduce "rabenseifner": a reduce-scatter by halving, then a gather to task 0; for long data.
#include "workloads/generator/collective/reduce_halving_plan.hpp"

namespace weft::workloads {
namespace {

// Thakur, Rabenseifner, Gropp 2005, section 4.4; Open MPI's "rabenseifner".
const bool reduce_rabenseifner_registered =
    add_collective({.operation = "reduce",
                    .algorithm = "rabenseifner",
                    .help = "step k: exchange halves of what is left with r xor 2^k; then a binomial gather of the "
                            "sums (Open MPI: rabenseifner); any number of tasks",
                    .make = collective_program<ReduceHalving<false>>,
                    .carries = ReduceHalving<false>::carries,
                    .combines = ReduceHalving<false>::combines,
                    .divides = true});

}  // namespace
}  // namespace weft::workloads
