// The operation scan; its algorithms are in files of their own.
#include "workloads/generator/collective/collective.hpp"

namespace weft::workloads {
namespace {

const bool scan_registered = OperationRegistry::instance().add(
    "scan", {.help = "task r gets the sum of what tasks 0 to r have",
             .before = [](const DataPiece& piece, u32 task, u32) { return piece.origin == task; },
             .after = [](const DataPiece& piece, u32 task, u32) { return piece.origin <= task; },
             .adds_up = true,
             .whole = true});

}  // namespace
}  // namespace weft::workloads
