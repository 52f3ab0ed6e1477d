// Prepares a run, picks what its workload needs, and goes on when the routers have been shared out anew.
#include "tools/run/simulate.hpp"

#include <array>
#include <chrono>
#include <cmath>
#include <ctime>
#include <fmt/format.h>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/system/machine.hpp"
#include "engine/stop_look.hpp"
#include "tools/run/checkpoint/stop_signal.hpp"
#include "tools/run/collect/seeds.hpp"
#include "tools/run/collect/slowdown.hpp"
#include "tools/run/config/application.hpp"
#include "tools/run/config/output_keys.hpp"
#include "tools/run/context.hpp"
#include "tools/run/jobs.hpp"
#include "tools/run/programs.hpp"
#include "tools/run/setup/ranks_agree.hpp"
#include "tools/run/synthetic.hpp"
#include "version.hpp"

namespace weft::tools {
namespace {

std::string utc_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

/// A job that runs alone: from this cycle on.
struct Alone {
  std::string job;
  double start_cycle = 0;
};

/// One run, with the seed of `config`. `which`: said with its progress; may be empty.
RunResult simulate_once(const Config& config, engine::Transport& transport, Progress* progress,
                        const std::string& resume, const CheckpointPlace& checkpoint, const std::string& which,
                        const NetworkMaker& network, const Alone& alone = {},
                        workloads::ExternalTasks* outside = nullptr) {
  Context context(config, transport, progress);
  context.only_job = alone.job;
  context.outside = outside;
  if (network) context.topology = network();
  context.resume = resume;
  context.checkpoint = checkpoint;
  context.result.version = version;
  context.result.host = host_name();
  context.result.started_at = utc_now();
  context.inputs = RunInputs(config);
  if (const std::string& file = context.inputs.unrepeatable(); !file.empty()) {
    context.checkpoint.refused = "'" + file + "' is no regular file: a run that goes on could not read it again";
  }
  if (outside != nullptr) context.checkpoint.refused = "what runs outside of weft cannot be gone on with later";
  check_ranks_agree(config, context.inputs.hash(), transport);
  prepare_workloads(config, transport);
  engine::set_stop_question(stop_signalled);
  prepare(context);
  const double ticks_per_cycle = static_cast<double>(context.time.ticks_per_cycle);
  context.only_job_start = static_cast<Tick>(std::llround(alone.start_cycle * ticks_per_cycle));
  if (progress != nullptr && transport.rank() == 0) {
    const Tick known = context.stop == "cycles" ? context.stop_cycles : 0;
    progress->start(context.topology->name() + which, static_cast<double>(known), "cycles");
  }
  const auto run = !config.jobs().empty() ? run_jobs : runs_tasks(config) ? run_tasks : run_synthetic;
  for (;;) {
    try {
      run(context);
      break;
    } catch (const Rebalanced&) {
      ++context.result.engine.rebalances;  // and once more, from the checkpoint just written
    }
  }
  if (progress != nullptr && transport.rank() == 0) progress->finish();
  RunResult& result = context.result;
  for (JobRow& job : result.jobs) job.bytes_per_cycle = result.bytes_per_cycle(job);
  return std::move(result);
}

/// Runs each job alone, from when it began, and notes by how much it was slower with the others. `which`: as above.
void compare_with_lone_jobs(RunResult& result, const Config& config, engine::Transport& transport, Progress* progress,
                            const std::string& which) {
  const Config quiet = config.with({"checkpoint.every_seconds=0", "checkpoint.every_cycles=0"});
  CheckpointPlace checkpoint;
  checkpoint.refused = "a job that runs alone, for its slow-down, is not resumed";
  add_slowdowns(result, config, transport, [&](const std::string& job, double start_cycle) {
    return simulate_once(quiet, transport, progress, "", checkpoint, fmt::format(", job {} alone{}", job, which), {},
                         {job, start_cycle});
  });
}

}  // namespace

RunResult simulate(const Config& config, engine::Transport& transport, Progress* progress, const std::string& resume,
                   const CheckpointPlace& checkpoint, const NetworkMaker& network, workloads::ExternalTasks* outside,
                   bool slowdowns) {
  const u64 seeds = static_cast<u64>(config.integer("measure.seeds"));
  if (seeds == 1) {
    RunResult result = simulate_once(config, transport, progress, resume, checkpoint, "", network, {}, outside);
    if (slowdowns) compare_with_lone_jobs(result, config, transport, progress, "");
    return result;
  }
  if (!resume.empty()) {
    throw ConfigError(fmt::format(
        "measure.seeds = {} cannot go on from '{}' (a checkpoint holds one run, not several); remove one of them",
        seeds, resume));
  }
  const i64 first = config.integer("simulation.seed");
  CheckpointPlace none = checkpoint;
  none.refused = fmt::format("measure.seeds = {}: a checkpoint holds one run, not several", seeds);
  std::vector<RunResult> runs;
  for (u64 k = 0; k < seeds; ++k) {
    const i64 seed = first + static_cast<i64>(k);
    const Config of_seed = k == 0 ? config : config.with({fmt::format("simulation.seed={}", seed)});
    const std::string which = fmt::format(", seed {} ({} of {})", seed, k + 1, seeds);
    runs.push_back(simulate_once(of_seed, transport, progress, "", none, which, network));
    if (slowdowns) compare_with_lone_jobs(runs.back(), of_seed, transport, progress, which);
    if (k > 0) drop_histories(runs.back());
  }
  RunResult all = result_of_seeds(std::move(runs));
  if (!all.extra.events_path.empty()) all.extra.events_path = path_of_run(config.text("statistics.events"), "seed-*");
  return all;
}

}  // namespace weft::tools
