// Prepares a run, picks what its workload needs, and goes on when the routers have been shared out anew.
#include "tools/simulate/simulate.hpp"

#include <array>
#include <chrono>
#include <ctime>

#include "tools/machine/machine.hpp"
#include "tools/simulate/context.hpp"
#include "tools/simulate/ranks_agree.hpp"
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

}  // namespace

RunResult simulate(const Config& config, engine::Transport& transport, Progress* progress, const std::string& resume,
                   const CheckpointPlace& checkpoint) {
  Context context(config, transport, progress);
  context.resume = resume;
  context.checkpoint = checkpoint;
  context.result.version = version;
  context.result.host = host_name();
  context.result.started_at = utc_now();
  context.inputs = RunInputs(config);
  if (const std::string& file = context.inputs.unrepeatable(); !file.empty()) {
    context.checkpoint.refused = "'" + file + "' is no regular file: a run that goes on could not read it again";
  }
  check_ranks_agree(config, context.inputs.hash(), transport);
  prepare(context);
  if (progress != nullptr && transport.rank() == 0) {
    const Tick known = context.stop == "cycles" ? context.stop_cycles : 0;
    progress->start(context.topology->name(), static_cast<double>(known), "cycles");
  }
  const std::string kind = config.text("workload.kind");
  const bool tasks = kind == "kernel" || kind == "trace";
  for (;;) {
    try {
      tasks ? run_tasks(context) : run_synthetic(context);
      break;
    } catch (const Rebalanced&) {
      ++context.result.engine.rebalances;  // and once more, from the checkpoint just written
    }
  }
  if (progress != nullptr && transport.rank() == 0) progress->finish();
  return std::move(context.result);
}

}  // namespace weft::tools
