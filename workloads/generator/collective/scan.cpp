// The operations scan and exscan, with their algorithms: their messages are the same, and differ only in what a task
// keeps.
#include "workloads/generator/collective/collective_plan.hpp"

namespace weft::workloads {
namespace {

const bool scan_registered = OperationRegistry::instance().add(
    "scan", {.help = "task r gets the sum of what tasks 0 to r have",
             .before = Pieces::own,
             .after = [](const DataPiece& piece, u32 task, u32) { return piece.origin <= task; },
             .adds_up = true,
             .whole = true});

const bool exscan_registered = OperationRegistry::instance().add(
    "exscan", {.help = "task r gets the sum of what tasks 0 to r - 1 have",
               .before = Pieces::own,
               .after = [](const DataPiece& piece, u32 task, u32) { return piece.origin < task; },
               .adds_up = true,
               .whole = true});

/// Registers an algorithm for both.
bool add_scan(CollectiveKind kind) {
  kind.operation = "exscan";
  add_collective(kind);
  kind.operation = "scan";
  return add_collective(std::move(kind));
}

/// "linear": task r receives the sum of those before it from r - 1 and sends it with its own to r + 1. Open MPI's
/// "linear".
struct ScanLinear : CollectivePlan {
  u64 slots() const { return 2; }
  Op op(u32 task, u32, u64 slot) const {
    if (slot == 0) return task > 0 ? receive_op(task - 1, bytes) : Op{};
    return task + 1 < tasks ? send_op(task + 1, bytes) : Op{};
  }
};

const bool scan_linear_registered =
    add_scan({.algorithm = "linear",
              .help = "from each task to the next (Open MPI: linear); any number of tasks",
              .make = collective_program<ScanLinear>});

/// "recursive-doubling", step k: task r and r xor 2^k, if there is one, exchange the sums of the 2^k tasks around each,
/// and a task adds to its result those from below; tag k. MPICH's and Open MPI's "recursive doubling".
struct ScanRecursiveDoubling : CollectivePlan {
  u64 slots() const { return u64{2} * tree_rounds(tasks); }
  Op op(u32 task, u32, u64 slot) const {
    const u32 k = static_cast<u32>(slot / 2), peer = task ^ (u32{1} << k);
    return peer < tasks ? exchange(slot, peer, bytes, k) : Op{};
  }
};

const bool scan_recursive_doubling_registered = add_scan(
    {.algorithm = "recursive-doubling",
     .help =
         "step k: exchange sums with r xor 2^k, if there is one (MPICH, Open MPI: recursive doubling); any number of "
         "tasks",
     .make = collective_program<ScanRecursiveDoubling>,
     .is_default = true});

}  // namespace
}  // namespace weft::workloads
