// When a run writes checkpoints, and the checks that a checkpoint belongs to the run that would go on from it.
#pragma once

#include <string>

#include "tools/run/checkpoint/checkpoint_file.hpp"
#include "tools/run/config/config.hpp"

namespace weft::tools {

/// The [checkpoint] settings of a run, and what they mean to a clock: `now_s` is its wall time.
class Checkpointing {
 public:
  Checkpointing(const Config& config, Tick ticks_per_cycle, double now_s);
  /// Whether `every_seconds` is over; asked on rank 0, whose clock counts.
  [[nodiscard]] bool time_is_over(double now_s) const { return every_s_ > 0 && now_s - last_s_ >= every_s_; }
  /// First tick after `now` at which `every_cycles` wants a checkpoint, or `never`.
  [[nodiscard]] Tick next_after(Tick now) const {
    return every_ticks_ == 0 ? never : (now / every_ticks_ + 1) * every_ticks_;
  }
  [[nodiscard]] bool due_at(Tick now) const { return every_ticks_ != 0 && now % every_ticks_ == 0; }
  void written(double now_s) { last_s_ = now_s; }

 private:
  double every_s_ = 0, last_s_ = 0;
  Tick every_ticks_ = 0;
};

/// Where a run that names neither checkpoint.path nor a result writes its checkpoints.
inline constexpr const char* default_checkpoint = "run.ckpt.h5";

/// Where a run writes its checkpoints: checkpoint.path; else beside the result `out` (result.h5: result.ckpt.h5), so
/// that the runs of one directory do not take each other's place; else default_checkpoint.
[[nodiscard]] std::string checkpoint_path(const Config& config, const std::string& out);

/// Whether the config asks for checkpoints. Without it one is written only if a signal stops the run.
[[nodiscard]] bool checkpoint_wanted(const Config& config);

/// Throws ConfigError, naming the plug-ins or the first setting that differs, unless the checkpoint was written by a
/// run of this config; and InputError if a file that the config names has changed since. `inputs_hash`: of RunInputs.
void check_belongs(const CheckpointReader& checkpoint, const Config& config, u64 inputs_hash);

}  // namespace weft::tools
