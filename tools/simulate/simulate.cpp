// Prepares a run, picks what its workload needs, and goes on when the routers have been shared out anew.
#include "tools/simulate/simulate.hpp"

#include <array>
#include <chrono>
#include <ctime>
#include <fmt/format.h>
#include <vector>

#include "engine/error.hpp"
#include "tools/config/application.hpp"
#include "tools/machine/machine.hpp"
#include "tools/simulate/context.hpp"
#include "tools/simulate/jobs.hpp"
#include "tools/simulate/ranks_agree.hpp"
#include "tools/simulate/seeds.hpp"
#include "tools/simulate/synthetic.hpp"
#include "tools/simulate/tasks.hpp"
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

/// One run, with the seed of `config`. `which`: said with its progress; may be empty.
RunResult simulate_once(const Config& config, engine::Transport& transport, Progress* progress,
                        const std::string& resume, const CheckpointPlace& checkpoint, const std::string& which,
                        const NetworkMaker& network, const std::string& only_job = {},
                        workloads::Outside* outside = nullptr) {
  Context context(config, transport, progress);
  context.only_job = only_job;
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
  prepare(context);
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
  return std::move(context.result);
}

/// A run for each of `seeds` seeds; of `only_job`, if that is named, alone.
RunResult simulate_seeds(const Config& config, u64 seeds, engine::Transport& transport, Progress* progress,
                         CheckpointPlace checkpoint, const NetworkMaker& network, const std::string& only_job = "") {
  const i64 first = config.integer("simulation.seed");
  const std::string whose = only_job.empty() ? "" : ", job " + only_job + " alone";
  checkpoint.refused = fmt::format("measure.seeds = {}: a checkpoint holds one run, not several", seeds);
  std::vector<RunResult> runs;
  for (u64 k = 0; k < seeds; ++k) {
    const i64 seed = first + static_cast<i64>(k);
    const Config of_seed = k == 0 ? config : config.with({fmt::format("simulation.seed={}", seed)});
    runs.push_back(simulate_once(of_seed, transport, progress, "", checkpoint,
                                 fmt::format("{}, seed {} ({} of {})", whose, seed, k + 1, seeds), network, only_job));
    if (k > 0) drop_lists(runs.back());
  }
  return result_of_seeds(std::move(runs));
}

}  // namespace

RunResult simulate(const Config& config, engine::Transport& transport, Progress* progress, const std::string& resume,
                   const CheckpointPlace& checkpoint, const NetworkMaker& network, workloads::Outside* outside) {
  const u64 seeds = static_cast<u64>(config.integer("measure.seeds"));
  if (seeds == 1) return simulate_once(config, transport, progress, resume, checkpoint, "", network, {}, outside);
  if (!resume.empty()) {
    throw ConfigError(fmt::format(
        "measure.seeds = {} cannot go on from '{}' (a checkpoint holds one run, not several); remove one of them",
        seeds, resume));
  }
  return simulate_seeds(config, seeds, transport, progress, checkpoint, network);
}

RunResult simulate_job(const Config& config, const std::string& job, engine::Transport& transport, Progress* progress) {
  const Config alone =
      config.with({"statistics.events=\"\"", "checkpoint.every_seconds=0", "checkpoint.every_cycles=0"});
  const u64 seeds = static_cast<u64>(config.integer("measure.seeds"));
  CheckpointPlace checkpoint;
  checkpoint.refused = "a job that runs alone, for its slow-down, is not resumed";
  if (seeds > 1) return simulate_seeds(alone, seeds, transport, progress, checkpoint, {}, job);
  return simulate_once(alone, transport, progress, "", checkpoint, ", job " + job + " alone", {}, job);
}

}  // namespace weft::tools
