// Exscan "linear": the sum goes from each task to the next.
#include "workloads/generator/collective/scan_plan.hpp"

namespace weft::workloads {
namespace {

const bool exscan_linear_registered =
    add_collective({.operation = "exscan",
                    .algorithm = "linear",
                    .help = "from each task to the next (Open MPI: linear); any number of tasks",
                    .make = collective_program<ScanLinear>});

}  // namespace
}  // namespace weft::workloads
