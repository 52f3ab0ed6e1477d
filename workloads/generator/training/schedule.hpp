// Pipeline schedules: in which order a stage works on micro-batches.
#pragma once

#include <string>
#include <vector>

#include "engine/base/types.hpp"

namespace weft::workloads {

/// `weights`: the gradients of weights, where the backward pass of a micro-batch makes only those of activations.
enum class PassKind : u8 { forward, backward, weights };

struct Pass {
  PassKind kind = PassKind::forward;
  u32 micro_batch = 0;
  u32 chunk = 0;  ///< of the stage's layers
};

enum class ScheduleKind : u8 { one_forward_one_backward, interleaved, zero_bubble };

/// Passes of one stage, computed one after the other.
///  - 1F1B: Narayanan et al., PipeDream (SOSP 2019), as Megatron-LM flushes it (2021).
///  - interleaved: a stage has several chunks of layers (Narayanan et al., SC 2021); micro-batches in groups of as many
///    as there are stages, of which their number must be a multiple.
///  - zero bubble: ZB-H1 of Qi et al., Zero bubble pipeline parallelism (ICLR 2024): stage s does the gradients of
///    weights s micro-batches later.
class Schedule {
 public:
  Schedule(ScheduleKind kind, u32 stage, u32 stages, u32 micro_batches, u32 chunks)
      : kind_(kind), stage_(stage), stages_(stages), micro_batches_(micro_batches), chunks_(chunks) {}
  [[nodiscard]] u64 size() const {
    return u64{micro_batches_} * chunks_ * (kind_ == ScheduleKind::zero_bubble ? 3 : 2);
  }
  /// The next pass; only so often as `size` says.
  Pass next();

 private:
  [[nodiscard]] Pass forward(u64 number) const;
  [[nodiscard]] Pass backward(u64 number) const;
  [[nodiscard]] u64 forwards() const { return u64{micro_batches_} * chunks_; }
  [[nodiscard]] u64 warm_up() const;

  ScheduleKind kind_;
  u32 stage_, stages_, micro_batches_, chunks_;
  u64 forwards_done_ = 0, backwards_done_ = 0, weights_done_ = 0;
  bool weights_due_ = false;  ///< zero bubble: after a backward pass
};

}  // namespace weft::workloads
