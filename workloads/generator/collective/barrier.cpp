// The operation barrier; its algorithms are in files of their own.
#include "workloads/generator/collective/collective.hpp"

namespace weft::workloads {
namespace {

// What a task has is the news that it has come; who knows it of all may go on.
const bool barrier_registered = OperationRegistry::instance().add(
    "barrier", {.help = "none goes on before all have come; its messages are empty",
                .before = [](const DataPiece& piece, u32 task, u32) { return piece.origin == task; },
                .after = [](const DataPiece&, u32, u32) { return true; },
                .signals = true});

}  // namespace
}  // namespace weft::workloads
