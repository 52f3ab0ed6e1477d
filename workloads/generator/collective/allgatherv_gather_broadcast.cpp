// Allgatherv "gather-broadcast": all pieces to task 0, and from there to all.
#include "workloads/generator/collective/composite.hpp"
#include "workloads/generator/collective/piece_counts.hpp"

namespace weft::workloads {
namespace {

const bool allgatherv_gather_broadcast_registered = add_composite(
    {.operation = "allgatherv",
     .algorithm = "gather-broadcast",
     .help = "gatherv linear, then broadcast binomial of the whole, or what a library chooses for it (Open MPI: "
             "default); any number of tasks",
     .longest = [](u32 tasks) { return u64{tasks}; },
     .parts = {{.operation = "gatherv", .algorithm = "linear"},
               {.operation = "broadcast", .algorithm = "binomial", .by_rules = true, .bytes = bytes_of_all}}});

}  // namespace
}  // namespace weft::workloads
