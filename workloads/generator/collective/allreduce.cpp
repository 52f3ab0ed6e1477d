// The operation allreduce; its algorithms are in files of their own.
#include "workloads/generator/collective/collective.hpp"

namespace weft::workloads {
namespace {

const bool allreduce_registered = OperationRegistry::instance().add(
    "allreduce", {.help = "all get the sum of what all have",
                  .before = [](const DataPiece& piece, u32 task, u32) { return piece.origin == task; },
                  .after = [](const DataPiece&, u32, u32) { return true; },
                  .adds_up = true,
                  .whole = true});

}  // namespace
}  // namespace weft::workloads
