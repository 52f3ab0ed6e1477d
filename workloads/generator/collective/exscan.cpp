// The operation exscan; its algorithms are in files of their own.
#include "workloads/generator/collective/collective.hpp"

namespace weft::workloads {
namespace {

const bool exscan_registered = OperationRegistry::instance().add(
    "exscan", {.help = "task r gets the sum of what tasks 0 to r - 1 have",
               .before = [](const DataPiece& piece, u32 task, u32) { return piece.origin == task; },
               .after = [](const DataPiece& piece, u32 task, u32) { return piece.origin < task; },
               .adds_up = true,
               .whole = true});

}  // namespace
}  // namespace weft::workloads
