// The operation scatter; its algorithms are in files of their own.
#include "workloads/generator/collective/collective.hpp"

namespace weft::workloads {
namespace {

const bool scatter_registered = OperationRegistry::instance().add(
    "scatter",
    {.help = "each gets the piece that task 0 has for it",
     .before = [](const DataPiece& piece, u32 task, u32) { return piece.origin == 0 && task == 0; },
     .after = [](const DataPiece& piece, u32 task, u32) { return piece.origin == 0 && piece.target == task; },
     .to_each = true});

}  // namespace
}  // namespace weft::workloads
