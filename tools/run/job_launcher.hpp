// When jobs begin that follow others, and when background ends.
#pragma once

#include <functional>
#include <vector>

#include "tools/run/config/jobs.hpp"
#include "tools/run/context.hpp"
#include "tools/run/run_loop.hpp"
#include "tools/run/simulation.hpp"

namespace weft::tools {

/// Runs a simulation of jobs to its end. Where jobs wait for others, or repeat until others end, all ranks look at
/// every multiple of simulation.launch_cycles which jobs are over: a job that follows begins there, and the run ends
/// there when only background is left. So the history does not depend on how the ranks come to know of it. Collective.
class JobLauncher {
 public:
  /// What it is given must outlive it. `alone`: the only job, which begins by itself.
  JobLauncher(Context& context, RunLoop& loop, Simulation& simulation, const std::vector<Job>& jobs, bool alone);

  /// `unfinished`: [job], what is left to be done and delivered of it on this rank, modulo 2^64: summed over the ranks,
  /// 0 when it is over; `close`: background is to begin no more rounds.
  void run(const std::function<std::vector<u64>()>& unfinished, const std::function<void()>& close);
  /// Whether all jobs but background are over.
  [[nodiscard]] bool all_over() const { return all_over_; }
  [[nodiscard]] bool has_background() const { return background_; }
  /// Cycle at which the run was ended, if it has background.
  [[nodiscard]] Tick ended_at_cycle() const { return ended_; }

 private:
  /// Learns which jobs are over, and begins those that follow them at tick `at`. Whether any does.
  bool launch(std::vector<u64> unfinished, Tick at);

  Context& context_;
  RunLoop& loop_;
  Simulation& simulation_;
  const std::vector<Job>& jobs_;
  bool alone_, waits_ = false, background_ = false, all_over_ = false;
  Tick ended_ = 0;
};

}  // namespace weft::tools
