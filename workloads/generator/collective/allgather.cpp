// The operation allgather; its algorithms are in files of their own.
#include "workloads/generator/collective/collective.hpp"

namespace weft::workloads {
namespace {

const bool allgather_registered = OperationRegistry::instance().add(
    "allgather", {.help = "all get what each has",
                  .before = [](const DataPiece& piece, u32 task, u32) { return piece.origin == task; },
                  .after = [](const DataPiece&, u32, u32) { return true; }});

}  // namespace
}  // namespace weft::workloads
