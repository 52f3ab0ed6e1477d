// Picks the driver for the model and the workload of a config.
#include "tools/simulate/simulate.hpp"

#include <array>
#include <chrono>
#include <ctime>

#include "models/router/router_kind.hpp"
#include "tools/machine/machine.hpp"
#include "tools/simulate/context.hpp"
#include "tools/simulate/ranks_agree.hpp"
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
  const bool bubble = resolved_router_kind(config) == "bubble";
  const bool plain = models::is_plain(*context.topology, context.router);
  const auto run = plain ? (tasks ? run_plain_tasks : run_plain_synthetic) : bubble ? (tasks ? run_bubble_tasks : run_bubble_synthetic)
                          : (tasks ? run_multistage_tasks : run_multistage_synthetic);
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

}  // namespace weft::tools
