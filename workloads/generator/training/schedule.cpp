// The three schedules.
#include "workloads/generator/training/schedule.hpp"

#include <algorithm>

namespace weft::workloads {

Pass Schedule::forward(u64 number) const {
  const u64 in_turn = number % (u64{stages_} * chunks_), turn = number / (u64{stages_} * chunks_);
  if (chunks_ == 1) return {PassKind::forward, static_cast<u32>(number), 0};
  return {PassKind::forward, static_cast<u32>(turn * stages_ + in_turn % stages_), static_cast<u32>(in_turn / stages_)};
}

Pass Schedule::backward(u64 number) const {
  Pass pass = forward(number);
  pass.kind = PassKind::backward;
  pass.chunk = chunks_ - 1 - pass.chunk;
  return pass;
}

/// Forward passes before the first backward one, but for the one right before it.
u64 Schedule::warm_up() const {
  const u64 behind = stages_ - stage_ - 1;
  if (kind_ != ScheduleKind::interleaved) return std::min<u64>(behind, micro_batches_);
  // As Megatron-LM: with one group of micro-batches all forward passes come first.
  if (micro_batches_ == stages_) return forwards();
  return std::min<u64>(2 * behind + (chunks_ - u64{1}) * stages_, forwards());
}

Pass Schedule::next() {
  if (weights_due_) {
    weights_due_ = false;
    if (backwards_done_ > weights_done_ + stage_) return {PassKind::weights, static_cast<u32>(weights_done_++), 0};
  }
  const u64 ahead = warm_up() + 1;
  if (forwards_done_ < forwards() && forwards_done_ < backwards_done_ + ahead) return forward(forwards_done_++);
  if (backwards_done_ < forwards()) {
    weights_due_ = kind_ == ScheduleKind::zero_bubble;
    return backward(backwards_done_++);
  }
  return {PassKind::weights, static_cast<u32>(weights_done_++), 0};
}

}  // namespace weft::workloads
