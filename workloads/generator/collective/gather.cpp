// The operation gather; its algorithms are in files of their own.
#include "workloads/generator/collective/collective.hpp"

namespace weft::workloads {
namespace {

const bool gather_registered = OperationRegistry::instance().add(
    "gather", {.help = "task 0 gets what each has",
               .before = [](const DataPiece& piece, u32 task, u32) { return piece.origin == task; },
               .after = [](const DataPiece&, u32 task, u32) { return task == 0; }});

}  // namespace
}  // namespace weft::workloads
