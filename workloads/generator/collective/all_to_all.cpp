// The operation all-to-all; its algorithms are in files of their own.
#include "workloads/generator/collective/collective.hpp"

namespace weft::workloads {
namespace {

const bool all_to_all_registered = OperationRegistry::instance().add(
    "all-to-all", {.help = "each task has a piece of its own for each other",
                   .before = [](const DataPiece& piece, u32 task, u32) { return piece.origin == task; },
                   .after = [](const DataPiece& piece, u32 task, u32) { return piece.target == task; },
                   .to_each = true});

}  // namespace
}  // namespace weft::workloads
