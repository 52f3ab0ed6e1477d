// A collective operation from outside the source folders, with an algorithm: docs/adding-a-collective.md.
#include "workloads/collective/collective_plan.hpp"

namespace weft::workloads {
namespace {

const bool scan_registered = OperationRegistry::instance().add(
    "scan", {.help = "task t gets the sum of what tasks 0 to t have",
             .before = [](const DataPiece& piece, u32 task, u32) { return piece.origin == task; },
             .after = [](const DataPiece& piece, u32 task, u32) { return piece.origin <= task; },
             .adds_up = true});

/// Task t receives the sum of those before it from t - 1, adds its own and sends the sum to t + 1.
struct ScanLinear : CollectivePlan {
  u64 slots() const { return 2; }
  Op op(u32 task, u32, u64 slot) const {
    if (slot == 0) return task > 0 ? receive_op(task - 1, bytes) : Op{};
    return task + 1 < tasks ? send_op(task + 1, bytes) : Op{};
  }
};

const bool scan_linear_registered =
    add_collective({.operation = "scan",
                    .algorithm = "linear",
                    .help = "from each task to the next (Open MPI: linear); any number of tasks",
                    .make = collective_program<ScanLinear>,
                    .usual = true});

}  // namespace
}  // namespace weft::workloads
