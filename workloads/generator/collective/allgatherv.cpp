// The operation allgatherv: allgather of pieces that differ; its algorithms are in files of their own.
#include "workloads/generator/collective/collective.hpp"

namespace weft::workloads {
namespace {

const bool allgatherv_registered = OperationRegistry::instance().add(
    "allgatherv", {.help = "all get what each has, pieces of different length",
                   .before = [](const DataPiece& piece, u32 task, u32) { return piece.origin == task; },
                   .after = [](const DataPiece&, u32, u32) { return true; },
                   .counts = CollectiveOperation::Counts::by_origin});

}  // namespace
}  // namespace weft::workloads
