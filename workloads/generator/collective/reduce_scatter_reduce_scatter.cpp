// Reduce-scatter in two operations: everything to task 0, and the pieces from there.
#include "workloads/generator/collective/composite.hpp"

namespace weft::workloads {
namespace {

/// Open MPI's "nonoverlapping" of MPI_Reduce_scatter, whose scatter is linear, and "basic linear" of
/// MPI_Reduce_scatter_block, whose scatter is what its rules say.
bool add_reduce_then_scatter(const std::string& operation, bool scatter_by_rules) {
  return add_composite(
      {.operation = operation,
       .algorithm = "reduce-then-scatter",
       .help = "reduce binomial of all pieces, then scatter linear, or as the rules of the library say (Open MPI: "
               "nonoverlapping, basic linear); any number of tasks",
       .longest = [](u32 tasks) { return u64{tasks}; },
       .parts = {{.operation = "reduce",
                  .algorithm = "binomial",
                  .by_rules = true,
                  .bytes = [](const CollectiveSpec& spec) { return spec.message_bytes * spec.tasks; }},
                 {.operation = "scatter", .algorithm = "linear", .by_rules = scatter_by_rules}}});
}

const bool reduce_then_scatter_registered = add_reduce_then_scatter("reduce-scatter", false);
const bool reduce_then_scatter_block_registered = add_reduce_then_scatter("reduce-scatter-block", true);

}  // namespace
}  // namespace weft::workloads
