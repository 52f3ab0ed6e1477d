// The operation broadcast; its algorithms are in files of their own.
#include "workloads/generator/collective/collective.hpp"

namespace weft::workloads {
namespace {

const bool broadcast_registered = OperationRegistry::instance().add(
    "broadcast", {.help = "what task 0 has goes to all",
                  .before = [](const DataPiece& piece, u32 task, u32) { return piece.origin == 0 && task == 0; },
                  .after = [](const DataPiece& piece, u32, u32) { return piece.origin == 0; },
                  .whole = true});

}  // namespace
}  // namespace weft::workloads
