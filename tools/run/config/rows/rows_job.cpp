// Rows of [[job]] besides the [workload] and the [placement] of each job.
#include "tools/run/config/settings.hpp"

namespace weft::tools::rows {

std::vector<Setting> job() {
  constexpr i64 most_cycles = 1'000'000'000'000;
  return {
      row::text("job.name", std::nullopt,
                "What the job is called in results, in overrides (--set job.NAME.workload.tasks=32) and in placement "
                "files; letters, digits, - and _. Every job has one."),
      row::integer("job.instances", "jobs", 1, {1, 4096},
                   "How many jobs of this kind there are, NAME-1, NAME-2 ..., which are alike but for their seeds and "
                   "nodes; --set job.NAME.KEY is about all of them."),
      row::real("job.start_ns", "ns", 0.0, {0.0, 1e15},
                "When the job begins, where a cycle has a stated length; rounded down to a tick."),
      row::integer("job.start_cycles", "cycles", 0, {0, most_cycles}, "The same in cycles; one of them is given."),
      row::text("job.after", "",
                "The job begins when the last task of this other job has ended, at the next multiple of "
                "simulation.launch_cycles."),
      row::choice("job.repeat", "once", {"once", "until-others-end"},
                  "until-others-end: background, which begins anew whenever it is done; the run is over when all "
                  "other jobs are."),
      row::choice(
          "job.restart", "never", {"never", "same-nodes", "any-nodes"},
          "What becomes of the job when one of its nodes fails during the run: its tasks there hang; it restarts "
          "from its last checkpoint when all of its nodes work again; it moves from those that do not work to "
          "free ones, and waits only if there are too few."),
      row::real("job.checkpoint_interval_s", "s", 0.0, {0.0, 1e9},
                "Time that a job that restarts computes before it takes a checkpoint; 0 = it takes none, and restarts "
                "from its begin."),
      row::real("job.checkpoint_cost_s", "s", 0.0, {0.0, 1e9}, "How long its tasks stand still for a checkpoint."),
      row::real("job.restart_cost_s", "s", 0.0, {0.0, 1e9},
                "How long a restart takes, from when there are nodes for it until its tasks go on."),
      row::integer("job.traffic_class", "", 0, {0, 255},
                   "Traffic class of its packets (router.traffic_classes), which says their virtual channels."),
      row::integer("job.nodes", "nodes", 0, {0, i64{1} << 30},
                   "Of jobs with independent sources (synthetic, burst): how many nodes it has; 0 = all of the "
                   "network's.")};
}

}  // namespace weft::tools::rows
