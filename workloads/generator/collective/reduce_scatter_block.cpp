// The operation reduce-scatter-block: reduce-scatter as MPI_Reduce_scatter_block, with the same algorithms.
#include "workloads/generator/collective/collective.hpp"

namespace weft::workloads {
namespace {

const bool reduce_scatter_block_registered = OperationRegistry::instance().add(
    "reduce-scatter-block", {.help = "as reduce-scatter, by the rules that libraries have for MPI_Reduce_scatter_block",
                             .before = [](const DataPiece& piece, u32 task, u32) { return piece.origin == task; },
                             .after = [](const DataPiece& piece, u32 task, u32) { return piece.target == task; },
                             .to_each = true,
                             .adds_up = true});

}  // namespace
}  // namespace weft::workloads
