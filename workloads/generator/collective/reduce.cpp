// The operation reduce; its algorithms are in files of their own.
#include "workloads/generator/collective/collective.hpp"

namespace weft::workloads {
namespace {

const bool reduce_registered = OperationRegistry::instance().add(
    "reduce", {.help = "task 0 gets the sum of what all have",
               .before = [](const DataPiece& piece, u32 task, u32) { return piece.origin == task; },
               .after = [](const DataPiece&, u32 task, u32) { return task == 0; },
               .adds_up = true,
               .whole = true});

}  // namespace
}  // namespace weft::workloads
