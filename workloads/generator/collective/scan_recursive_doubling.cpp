// Scan "recursive-doubling": pairs exchange the sums of those around them, over doubling distances.
#include "workloads/generator/collective/scan_plan.hpp"

namespace weft::workloads {
namespace {

const bool scan_recursive_doubling_registered = add_collective(
    {.operation = "scan",
     .algorithm = "recursive-doubling",
     .help =
         "step k: exchange sums with r xor 2^k, if there is one (MPICH, Open MPI: recursive doubling); any number of "
         "tasks",
     .make = collective_program<ScanRecursiveDoubling>,
     .usual = true});

}  // namespace
}  // namespace weft::workloads
