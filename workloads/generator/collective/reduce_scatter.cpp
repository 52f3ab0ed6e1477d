// The operation reduce-scatter with equal pieces; its algorithms are in files of their own.
#include "workloads/generator/collective/collective.hpp"

namespace weft::workloads {
namespace {

const bool reduce_scatter_registered = OperationRegistry::instance().add(
    "reduce-scatter", {.help = "each gets the sum of the pieces that all have for it",
                       .before = [](const DataPiece& piece, u32 task, u32) { return piece.origin == task; },
                       .after = [](const DataPiece& piece, u32 task, u32) { return piece.target == task; },
                       .to_each = true,
                       .adds_up = true});

}  // namespace
}  // namespace weft::workloads
