// From keys to programs of tasks.
#include "tools/config/application.hpp"

#include <fmt/format.h>

#include "engine/error.hpp"
#include "engine/shown.hpp"
#include "models/fabric/packet.hpp"

namespace weft::tools {
namespace {

/// A count of which 0 stands for the usual one.
u32 count_or(const Config& config, const std::string& key, u32 usual) {
  const i64 count = config.integer(key);
  return count > 0 ? static_cast<u32>(count) : usual;
}

void check_longest_message(u64 bytes, const workloads::TaskLimits& limits) {
  if (bytes <= limits.message_bytes) return;
  throw ConfigError("workload.message_bytes: " + workloads::too_many_packets(bytes, limits));
}

}  // namespace

bool runs_generated_tasks(const Config& config) {
  const std::string kind = config.text("workload.kind");
  return kind == "kernel" || kind == "collective" || kind == "exchange";
}

bool runs_tasks(const Config& config) {
  return runs_generated_tasks(config) || config.text("workload.kind") == "trace";
}

u32 tasks_per_node(const Config& config) { return static_cast<u32>(config.integer("workload.tasks_per_node")); }

u32 task_count(const Config& config, u32 nodes) {
  constexpr u64 most = u64{1} << models::MessagePacket::task_bits;
  const i64 given = config.integer("workload.tasks");
  const u64 tasks = given > 0 ? static_cast<u64>(given) : u64{nodes} * tasks_per_node(config);
  if (tasks > most) {
    throw ConfigError(
        fmt::format("{}: an application of {} tasks is too large (packets name at most {}); use "
                    "workload.tasks = {} or less",
                    shown(config.path()), tasks, most, most));
  }
  return static_cast<u32>(tasks);
}

workloads::KernelSpec kernel_spec(const Config& config, u32 nodes) {
  workloads::KernelSpec spec;
  spec.name = config.text("workload.name");
  spec.tasks = task_count(config, nodes);
  spec.message_bytes = static_cast<u64>(config.integer("workload.message_bytes"));
  spec.dimensions = static_cast<u32>(config.integer("workload.dimensions"));
  spec.return_sweep = config.flag("workload.return_sweep");
  spec.wrap = config.flag("workload.wrap");
  spec.diagonals = config.flag("workload.diagonals");
  spec.repetitions = count_or(config, "workload.repetitions", workloads::usual_repetitions(spec.name));
  spec.seed = static_cast<u64>(config.integer("simulation.seed"));
  return spec;
}

workloads::CollectiveSpec collective_spec(const Config& config, u32 nodes) {
  workloads::CollectiveSpec spec;
  spec.operation = config.text("workload.name");
  spec.algorithm = config.text("workload.algorithm");
  spec.tasks = task_count(config, nodes);
  spec.message_bytes = static_cast<u64>(config.integer("workload.message_bytes"));
  spec.repetitions = count_or(config, "workload.repetitions", 1);
  return spec;
}

workloads::ExchangeSpec exchange_spec(const Config& config, u32 nodes) {
  workloads::ExchangeSpec spec;
  spec.name = config.text("workload.name");
  for (const i64 task : config.integers("workload.pairs")) spec.pairs.push_back(static_cast<u32>(task));
  spec.tasks = task_count(config, nodes);
  spec.message_bytes = static_cast<u64>(config.integer("workload.message_bytes"));
  spec.messages = count_or(config, "workload.repetitions", 1);
  spec.both_ways = config.flag("workload.both_ways");
  spec.seed = static_cast<u64>(config.integer("simulation.seed"));
  return spec;
}

std::unique_ptr<workloads::Program> generated_program(const Config& config, const models::Topology& topology,
                                                      const workloads::TaskLimits& limits) {
  const u32 nodes = topology.nodes();
  if (config.text("workload.kind") == "exchange") {
    const workloads::ExchangeSpec spec = exchange_spec(config, nodes);
    check_longest_message(spec.message_bytes, limits);
    auto program = std::make_unique<workloads::ExchangeProgram>(spec, topology);
    if (program->is_of_nodes() && (config.text("placement.policy") != "consecutive" || tasks_per_node(config) != 1)) {
      throw ConfigError(
          fmt::format("workload.name = \"{}\" says which nodes send (a task on each); remove [placement] and "
                      "workload.tasks_per_node",
                      spec.name));
    }
    return program;
  }
  if (config.text("workload.kind") == "collective") {
    const workloads::CollectiveSpec spec = collective_spec(config, nodes);
    auto program = workloads::make_collective(spec);
    check_longest_message(workloads::longest_message_bytes(spec), limits);
    return program;
  }
  const workloads::KernelSpec spec = kernel_spec(config, nodes);
  check_longest_message(spec.message_bytes, limits);
  return workloads::make_kernel(spec);
}

}  // namespace weft::tools
