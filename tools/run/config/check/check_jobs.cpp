// Several jobs: names, starts, who waits for whom, and each as a workload of its own.
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/base/nearest.hpp"
#include "engine/base/text/words.hpp"
#include "models/routing/router_kind.hpp"
#include "tools/run/config/application.hpp"
#include "tools/run/config/check/check.hpp"
#include "tools/run/config/given.hpp"
#include "tools/run/config/jobs.hpp"
#include "tools/run/config/rows/registered_rows.hpp"

namespace weft::tools::checks {
namespace {

std::string key_of(const Job& job, const std::string& name) { return fmt::format("job.{}.{}", job.name, name); }

/// Words for a job: which one a key is of is not said by its name alone.
std::string quoted_name(const Job& job) { return fmt::format("\"{}\"", job.name); }

void check_start(const Config& config, const Job& job) {
  const std::string ns = key_of(job, "start_ns"), cycles = key_of(job, "start_cycles"), after = key_of(job, "after");
  if (given_otherwise(config, ns) && given_otherwise(config, cycles))
    fail(config, ns, "and start_cycles are both given (two times for one start)", "remove one of them");
  const std::string start = given_otherwise(config, ns) ? ns : cycles;
  if (!job.after.empty() && given_otherwise(config, start))
    fail(config, start, fmt::format("contradicts after = \"{}\" (two starts of one job)", job.after),
         "remove one of them");
  const Tick limit = static_cast<Tick>(config.integer("simulation.cycles"));
  const TimeScale time = time_scale(config);
  const Tick begins = job.start_tick(time);
  if (limit == 0 || begins < limit * time.ticks_per_cycle) return;
  fail(config, start, fmt::format("is not before the end of the run ({})", setting_text(config, "simulation.cycles")),
       "begin earlier, or run longer");
}

/// Throws for a job that waits for one that there is not, or that never ends.
void check_after(const Config& config, const std::vector<Job>& jobs, const Job& job) {
  if (job.after.empty()) return;
  const auto other = std::ranges::find(jobs, job.after, &Job::name);
  if (other == jobs.end()) {
    std::vector<std::string> names;
    for (const Job& one : jobs) {
      if (one.name != job.name) names.push_back(one.name);
    }
    fail(config, key_of(job, "after"), "is no job of this config",
         names.empty() ? "remove it" : fmt::format("did you mean \"{}\"?", nearest(job.after, names)));
  }
  if (other->background) {
    fail(config, key_of(job, "after"), "never ends (its repeat is \"until-others-end\")",
         "begin after another job, or at a time");
  }
}

/// Jobs that wait for each other in a circle never begin.
void check_circles(const Config& config, const std::vector<Job>& jobs) {
  for (const Job& job : jobs) {
    std::vector<std::string> chain{job.name};
    for (const Job* at = &job; !at->after.empty();) {
      at = &*std::ranges::find(jobs, at->after, &Job::name);
      chain.push_back(at->name);
      if (at->name == job.name) {
        fail(config, key_of(job, "after"), fmt::format("never comes ({})", fmt::join(chain, " after ")),
             "let one of them begin at a time");
      }
      if (chain.size() > jobs.size()) break;  // a circle further on, told by those in it
    }
  }
}

void check_class(const Config& config, const Job& job) {
  if (job.traffic_class == 0) return;
  const std::string key = key_of(job, "traffic_class"), classes = "router.traffic_classes";
  const std::string router = resolved_router_kind(config);
  const std::vector<std::string> able = kinds_with<models::RouterKind>(classes);
  if (!is_one_of(router, able)) {
    fail(config, key, fmt::format("does not fit router.kind = \"{}\" (it has one class)", router),
         fmt::format("remove it, or use router.kind = \"{}\"", fmt::join(able, "\" or \"")));
  }
  if (given_otherwise(config, "router.class_bytes")) {
    fail(config, key, "has no effect (router.class_bytes says the class of each message)", "remove one of them");
  }
  if (job.traffic_class < std::max<i64>(1, config.integer(classes))) return;
  fail(config, key, fmt::format("is none of {} (they are numbered from 0)", setting_text(config, classes)),
       fmt::format("use {} = {} or more", classes, job.traffic_class + 1));
}

/// What jobs cannot have that a single workload can.
void check_sources(const Config& config, const Job& job) {
  const bool tasks = runs_tasks(job.config);
  if (tasks && given_otherwise(config, key_of(job, "nodes"))) {
    fail(config, key_of(job, "nodes"),
         fmt::format("has no effect with workload.kind = \"{}\" (its tasks say how many nodes it takes)",
                     job.config.text("workload.kind")),
         "remove it, or use workload.tasks");
  }
  if (tasks) return;
  if (source_rules(job.config).queue != workloads::SourceQueue::bounded) {
    fail(job.config, "workload.source_queue", "is not for jobs (what a NIC does not take waits at its source)",
         "use source_queue = \"bounded\"");
  }
  if (source_rules(job.config).bursts > 1) {
    fail(job.config, "workload.bursts", "is not for jobs (the network is not empty between the bursts of one)",
         "use bursts = 1, or repeat = \"until-others-end\"");
  }
}

/// What jobs that restart need, and what others have no use for.
void check_restart(const Config& config, const Job& job) {
  const std::string interval = key_of(job, "checkpoint_interval_s"), cost = key_of(job, "checkpoint_cost_s");
  if (!job.restarts) {
    for (const std::string& key : {interval, cost, key_of(job, "restart_cost_s")}) {
      if (given_otherwise(config, key))
        fail(config, key, "has no effect (the job's restart is \"never\")",
             "use restart = \"any-nodes\", or remove it");
    }
    return;
  }
  const std::string restart = key_of(job, "restart");
  if (job.background) {
    fail(config, restart, "is not for background (repeat = \"until-others-end\")", "remove one of them");
  }
  if (models::fits_family(models::router_kind(resolved_router_kind(config)), models::linkless_family)) {
    fail(config, restart, "is not for networks without links (what a rendezvous tells is never lost there)",
         "remove it, or use another topology");
  }
  if (!runs_tasks(job.config)) {
    fail(config, restart,
         fmt::format("is not for independent sources (workload.kind = \"{}\"), which nothing waits for",
                     job.config.text("workload.kind")),
         "remove it, or use a workload with tasks");
  }
  if (config.text("faults.cut_off") == "wait") {
    fail(config, "faults.cut_off", fmt::format("keeps packets of job {}, which restarts", quoted_name(job)),
         "use faults.cut_off = \"drop\"");
  }
  if (job.checkpoint_interval_s == 0 && given_otherwise(config, cost))
    fail(config, cost, "has no effect (the job takes no checkpoint)", "give checkpoint_interval_s");
  if (job.checkpoint_interval_s > 0 && job.checkpoint_interval_s < job.checkpoint_cost_s) {
    fail(config, interval, fmt::format("is shorter than a checkpoint takes ({})", setting_text(config, cost)),
         "take checkpoints less often");
  }
}

void check_end(const Config& config, const std::vector<Job>& jobs) {
  const bool all_cycles = config.integer("simulation.cycles") > 0;
  if (std::ranges::all_of(jobs, &Job::background) && !all_cycles) {
    fail(config, key_of(jobs.front(), "repeat"), "has no others to wait for (every job is background)",
         "use repeat = \"once\" for one of them, or give simulation.cycles");
  }
  if (!ends_by_itself(config)) return;  // a steady state
  for (const Job& job : jobs) {
    if (job.background || all_cycles || ends_by_itself(job.config)) continue;
    fail(config, key_of(job, "repeat"),
         fmt::format("never lets the run end (job {}: workload.kind = \"{}\" goes on for ever)", quoted_name(job),
                     job.config.text("workload.kind")),
         "use repeat = \"until-others-end\", or give simulation.cycles");
  }
}

}  // namespace

void check_jobs(const Config& config) {
  const std::vector<Job> jobs = jobs_of(config);
  for (const Job& job : jobs) {
    check_start(config, job);
    check_after(config, jobs, job);
    check_class(config, job);
    check_sources(config, job);
    check_restart(config, job);
    check_network(job.config);
    check_workload(job.config);
  }
  check_circles(config, jobs);
  check_end(config, jobs);
}

}  // namespace weft::tools::checks
