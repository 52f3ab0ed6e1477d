// The algorithms of both scans: their messages are the same, and differ only in what a task keeps.
#pragma once

#include "workloads/generator/collective/collective_plan.hpp"

namespace weft::workloads {

/// Step k: task r and r xor 2^k, if there is one, exchange the sums of the 2^k tasks around each, and a task adds to
/// its result those from below; tag k. MPICH's and Open MPI's "recursive doubling".
struct ScanRecursiveDoubling : CollectivePlan {
  u64 slots() const { return u64{2} * tree_rounds(tasks); }
  Op op(u32 task, u32, u64 slot) const {
    const u32 k = static_cast<u32>(slot / 2), peer = task ^ (u32{1} << k);
    if (peer >= tasks) return {};
    return slot % 2 == 0 ? send_op(peer, bytes, k) : receive_op(peer, bytes, k);
  }
};

/// Task r receives the sum of those before it from r - 1 and sends it with its own to r + 1. Open MPI's "linear".
struct ScanLinear : CollectivePlan {
  u64 slots() const { return 2; }
  Op op(u32 task, u32, u64 slot) const {
    if (slot == 0) return task > 0 ? receive_op(task - 1, bytes) : Op{};
    return task + 1 < tasks ? send_op(task + 1, bytes) : Op{};
  }
};

}  // namespace weft::workloads
