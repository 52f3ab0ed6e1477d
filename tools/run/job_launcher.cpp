// Looks at jobs at multiples of simulation.launch_cycles; see the header.
#include "tools/run/job_launcher.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"

namespace weft::tools {

JobLauncher::JobLauncher(Context& context, RunLoop& loop, Simulation& simulation, const std::vector<Job>& jobs,
                         bool alone)
    : context_(context), loop_(loop), simulation_(simulation), jobs_(jobs), alone_(alone) {
  if (alone_) return;
  waits_ = std::ranges::any_of(jobs_, [](const Job& job) { return !job.after.empty(); });
  background_ = std::ranges::any_of(jobs_, &Job::background);
  constexpr std::size_t most = 64;  // RunStage::step has a bit for each
  if (waits_ && jobs_.size() > most) {
    throw ConfigError(fmt::format(
        "job.after is not for {} jobs (at most {} jobs can follow each other); let them begin at stated times",
        jobs_.size(), most));
  }
}

bool JobLauncher::launch(std::vector<u64> unfinished, Tick at) {
  context_.transport.sum(unfinished);
  const auto is_over = [&](const Job& job) { return unfinished[static_cast<std::size_t>(&job - jobs_.data())] == 0; };
  all_over_ = std::ranges::all_of(jobs_, [&](const Job& job) { return job.background || is_over(job); });
  if (alone_) return false;  // whom it follows is not there
  bool any = false;
  for (u32 j = 0; j < jobs_.size(); ++j) {
    const u64 bit = u64{1} << j;
    if (jobs_[j].after.empty() || (loop_.stage().step & bit) != 0) continue;
    if (!is_over(*std::ranges::find(jobs_, jobs_[j].after, &Job::name))) continue;
    loop_.stage().step |= bit;  // checkpoints keep it
    simulation_.begin_job(j, at);
    any = true;
  }
  if (any) loop_.add_events();
  return any;
}

void JobLauncher::run(const std::function<std::vector<u64>()>& unfinished, const std::function<void()>& close) {
  const Tick step = static_cast<Tick>(context_.config.integer("simulation.launch_cycles"));
  const Tick last = context_.stop == "cycles" ? context_.stop_cycles : never;
  if (alone_ || (!waits_ && !background_)) {
    if (last == never) {
      loop_.run_out();
    } else {
      loop_.run_to(last);
    }
    static_cast<void>(launch(unfinished(), 0));
    return;
  }
  Tick look = loop_.now_cycles();
  bool goes_on = true;
  // Who goes on from a checkpoint of such a cycle has not looked there yet.
  for (bool is_there = look > 0 && look % step == 0;; is_there = false) {
    if (!is_there) {
      // Nothing happens before the next event, so nobody need look.
      const Tick next = std::max(look, std::min(loop_.upcoming_cycles(), last));
      look = next / step * step + step;
      goes_on = loop_.run_to(std::min(look, last));
      if (look >= last) break;
    }
    const bool launched = launch(unfinished(), look * context_.router.cycle_ticks);
    if (all_over_ && last == never) {
      if (!background_) loop_.run_out();  // to the tick behind the last event
      break;
    }
    if (!goes_on && !launched) break;
  }
  close();
  ended_ = std::min(look, last);
}

}  // namespace weft::tools
