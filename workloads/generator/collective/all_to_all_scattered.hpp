// What all-to-allv and all-to-allw share: messages of pieces that differ, and MPICH's "scattered" exchange of them.
#pragma once

#include "workloads/generator/collective/counted_plan.hpp"

namespace weft::workloads {

/// What a task sends to another, or receives from it; itself is no message unless that is asked for.
struct ExchangePlan : CountedPlan {
  Op with(u32 task, u32 peer, bool sends) const {
    if (peer == task && !sends_to_itself) return {};
    return sends ? send_piece(peer, of(task, peer), 0) : receive_piece(peer, of(peer, task), 0);
  }
};

/// Blocks of 32 (MPIR_CVAR_ALLTOALL_THROTTLE): send to r - i for each i of the block, then wait for each r + i; i from
/// 0 on, which is the task itself.
struct ScatteredExchange : ExchangePlan {
  static constexpr u32 block = 32;
  u64 slots() const { return u64{2} * tasks; }
  Op op(u32 task, u32, u64 slot) const {
    const u32 first = static_cast<u32>(slot / (2 * block)) * block, steps = std::min(block, tasks - first);
    const u32 place = static_cast<u32>(slot % (2 * block)), distance = first + place % steps;
    const bool sends = place < steps;
    return with(task, sends ? task_before(task, distance, tasks) : task_after(task, distance, tasks), sends);
  }
};

}  // namespace weft::workloads
