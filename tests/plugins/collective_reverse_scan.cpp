// A collective operation from outside the source folders, with an algorithm: docs/adding-a-collective.md.
#include "workloads/generator/collective/collective_plan.hpp"

namespace weft::workloads {
namespace {

const bool reverse_scan_registered = OperationRegistry::instance().add(
    "reverse-scan", {.help = "task t gets the sum of what task t and all behind it have",
                     .before = [](const DataPiece& piece, u32 task, u32) { return piece.origin == task; },
                     .after = [](const DataPiece& piece, u32 task, u32) { return piece.origin >= task; },
                     .adds_up = true,
                     .whole = true});

/// Task t receives the sum of those behind it from t + 1, adds its own and sends the sum to t - 1.
struct ReverseScanLinear : CollectivePlan {
  u64 slots() const { return 2; }
  Op op(u32 task, u32, u64 slot) const {
    if (slot == 0) return task + 1 < tasks ? receive_op(task + 1, bytes) : Op{};
    return task > 0 ? send_op(task - 1, bytes) : Op{};
  }
};

const bool reverse_scan_linear_registered =
    add_collective({.operation = "reverse-scan",
                    .algorithm = "linear",
                    .help = "from each task to the one before; any number of tasks",
                    .make = collective_program<ReverseScanLinear>,
                    .is_default = true});

}  // namespace
}  // namespace weft::workloads
