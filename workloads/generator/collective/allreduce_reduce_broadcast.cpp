// Allreduce in two operations: "reduce-broadcast" along trees, "linear" all at once.
#include "workloads/generator/collective/composite.hpp"

namespace weft::workloads {
namespace {

// Open MPI's "nonoverlapping".
const bool allreduce_reduce_broadcast_registered =
    add_composite({.operation = "allreduce",
                   .algorithm = "reduce-broadcast",
                   .help = "reduce binomial, then broadcast binomial, or as the rules of the library say (Open MPI: "
                           "nonoverlapping); any number of tasks",
                   .parts = {{.operation = "reduce", .algorithm = "binomial", .by_rules = true},
                             {.operation = "broadcast", .algorithm = "binomial", .by_rules = true}}});

// Open MPI's "basic linear".
const bool allreduce_linear_registered = add_composite(
    {.operation = "allreduce",
     .algorithm = "linear",
     .help = "reduce linear, then broadcast linear (Open MPI: basic linear); any number of tasks",
     .parts = {{.operation = "reduce", .algorithm = "linear"}, {.operation = "broadcast", .algorithm = "linear"}}});

}  // namespace
}  // namespace weft::workloads
