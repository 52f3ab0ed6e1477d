// From keys to programs, placements and costs of tasks.
#include "tools/run/setup/placed_program.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/meaning.hpp"
#include "engine/base/text/shown.hpp"
#include "models/machine/ideal/settings.hpp"
#include "tools/run/config/application.hpp"
#include "tools/run/setup/processors.hpp"
#include "tools/run/setup/switch_groups.hpp"
#include "workloads/program/external/external_tasks.hpp"
#include "workloads/program/flow_program.hpp"
#include "workloads/program/matching/matching.hpp"

namespace weft::tools {
namespace {

workloads::Placement placement(Context& context, const Config& config, u32 tasks) {
  context.result.mapping = {};
  return on_first_nics(context,
                       workloads::place_tasks(config.text("placement.policy"), application_spec(context, config), tasks,
                                              tasks_per_node(config)));
}

/// Throws ConfigError if a file of the workload cannot be read twice.
void check_files_stay(const Config& config) {
  for (const std::string& key : workload_files(config)) {
    const std::filesystem::path path = config.text(key);
    std::error_code ignored;
    if (path.empty() || std::filesystem::is_regular_file(path, ignored) ||
        std::filesystem::is_directory(path, ignored) || !std::filesystem::exists(path, ignored))
      continue;
    throw ConfigError(
        fmt::format("placement.policy = \"mapped\" reads {} = {} twice, once to count its messages (it is no file); "
                    "give placement.matrix_path",
                    key, shown(path.string())));
  }
}

/// Which tasks run on this process: by their placement, or where that is not known yet by the node that consecutive
/// placement gives them.
std::function<bool(u32)> tasks_here(const Context& context, const models::Layout& layout, const Config& config,
                                    const workloads::Placement& placement) {
  std::vector<bool> local;  // by task, or by node
  const auto add = [&](NodeId node) { local.push_back(layout.entity_of(node) != models::Layout::none); };
  if (!placement.node_of_task.empty()) {
    for (const NodeId node : placement.node_of_task) add(node);
    return [local = std::move(local)](u32 task) { return task < local.size() && local[task]; };
  }
  for (u32 node = 0; node < context.attachment->nodes(); ++node) add(context.attachment->home(node));
  return [local = std::move(local), each = tasks_per_node(config)](u32 task) {
    return task / each < local.size() && local[task / each];
  };
}

const workloads::MatchingRule& matching_of(const Config& config, const workloads::Program& program) {
  return workloads::matching_rule(config.text("workload.matching"), program.matches_in_order(), program.takes_any());
}

/// Ticks of a ns of computing time; 0: it takes none. `default_scale`: of workload.cpu_scale, unless it is given.
double compute_ticks_per_ns(const Context& context, const Config& config, double default_scale) {
  const double scale = config.given("workload.cpu_scale") ? config.real("workload.cpu_scale") : default_scale;
  if (scale <= 0) return 0;
  if (context.time.cycle_ns <= 0) {
    throw ConfigError(fmt::format(
        "workload.cpu_scale = {} needs the length of a cycle (computing times of workload.kind = \"{}\" are "
        "in ns); give link.rate_gbps, e.g. 100",
        scale, config.text("workload.kind")));
  }
  return scale * static_cast<double>(context.time.ticks_per_cycle) / context.time.cycle_ns;
}

/// Ticks of a ns of the outside world.
double outside_ticks_per_ns(const Context& context, const workloads::Program& program) {
  if (context.time.cycle_ns > 0) return static_cast<double>(context.time.ticks_per_cycle) / context.time.cycle_ns;
  if (!program.waits_for_times() || program.keeps_time()) return 0;
  throw ConfigError(fmt::format(
      "'{}' waits for times of the outside world, in ns (which need the length of a cycle); give link.rate_gbps, "
      "e.g. 100",
      program.name()));
}

/// Ticks of a ns of a meeting.
double meeting_ticks_per_ns(const Context& context) {
  if (context.time.cycle_ns > 0) return static_cast<double>(context.time.ticks_per_cycle) / context.time.cycle_ns;
  throw ConfigError(
      "workload.collectives = \"cost-model\" needs the length of a cycle (its times are in ns); give link.rate_gbps, "
      "e.g. 100");
}

/// workload.cpu_scale unless it is given. Kinds with times of their own need the length of a cycle only for these.
double default_cpu_scale(const Context& context, const Config& config) {
  const workloads::WorkloadKind& kind = workload_kind(config);
  if (kind.time_key.empty()) return config.real("workload.cpu_scale");
  std::vector<std::string> keys{kind.time_key};
  keys.insert(keys.end(), kind.more_time_keys.begin(), kind.more_time_keys.end());
  const auto found = std::ranges::find_if(keys, [&config](const std::string& key) {
    const SettingValue value = config.value(key);
    return value != SettingValue(i64{0}) && value != SettingValue(0.0);
  });
  if (found == keys.end()) return 0;
  if (context.time.cycle_ns > 0) return 1;
  throw ConfigError(fmt::format("{} = {} needs the length of a cycle; give link.rate_gbps, e.g. 100", *found,
                                value_text(config.value(*found))));
}

/// [workload] has overheads of its own; the ideal network has them in a table.
models::LogGops overheads(const Config& config) {
  return {.latency_ns = 0,
          .overhead_ns = config.real("workload.overhead_ns"),
          .gap_ns = config.real("workload.gap_ns"),
          .byte_gap_ns = 0,
          .byte_overhead_ns = config.real("workload.byte_overhead_ns"),
          .rendezvous_bytes = static_cast<u64>(config.integer("workload.rendezvous_bytes"))};
}

models::MessageCosts message_costs(const Context& context, const Config& config) {
  if (context.topology->joins_all()) return models::ideal::costs_of(context.router.own);
  const models::LogGops own = overheads(config);
  const bool timed = own.overhead_ns > 0 || own.gap_ns > 0 || own.byte_overhead_ns > 0;
  if (timed && context.time.cycle_ns <= 0) {
    throw ConfigError(
        "workload.overhead_ns, workload.byte_overhead_ns and workload.gap_ns need the length of a cycle; give "
        "link.rate_gbps, e.g. 100");
  }
  const double ticks_per_ns = timed ? static_cast<double>(context.time.ticks_per_cycle) / context.time.cycle_ns : 0.0;
  return {own, ticks_per_ns};
}

/// Whether messages take time at their ends, besides what the network takes: overheads, the path inside a node.
bool ends_take_time(const Context& context, const models::LogGops& own) {
  return context.topology->joins_all() || context.config.real("node.path_latency_ns") > 0 ||
         context.config.real("node.path_gbps") > 0 || own.overhead_ns > 0 || own.byte_overhead_ns > 0;
}

/// Table [node] on the path between its tasks.
void set_path(workloads::ProgramJob& job, const Context& context, const Config& config, u64 local_latency_cycles) {
  const double latency_ns = config.real("node.path_latency_ns"), rate = config.real("node.path_gbps");
  if ((latency_ns > 0 || rate > 0) && context.time.cycle_ns <= 0) {
    throw ConfigError(
        "node.path_latency_ns and node.path_gbps need the length of a cycle; give link.rate_gbps, e.g. 100");
  }
  job.local_latency = local_latency_cycles * context.router.cycle_ticks;
  if (latency_ns <= 0 && rate <= 0) return;
  constexpr double byte_bits = 8;
  const double ticks_per_ns = static_cast<double>(context.time.ticks_per_cycle) / context.time.cycle_ns;
  if (latency_ns > 0) job.local_latency = std::max<Tick>(1, static_cast<Tick>(latency_ns * ticks_per_ns));
  if (rate > 0) job.memory_ticks_per_byte = byte_bits / rate * ticks_per_ns;
}

}  // namespace

void check_nodes_work(const Context& context, const workloads::Placement& placement) {
  for (u32 task = 0; task < placement.node_of_task.size(); ++task) {
    const NodeId first = placement.node_of_task[task];
    for (u32 nic = 0; nic < context.attachment->nics(); ++nic) {
      const NodeId node(first.value() + context.attachment->offset(nic));
      if (context.topology->works(node)) continue;
      throw ConfigError(
          fmt::format("task {} is placed on node {}, which has failed ([faults]); place it elsewhere, with "
                      "placement.policy = \"file\"",
                      task, node.value()));
    }
  }
}

workloads::Placement on_first_nics(const Context& context, workloads::Placement placement) {
  for (NodeId& node : placement.node_of_task) node = context.attachment->home(node.value());
  return placement;
}

workloads::PlacementSpec application_spec(Context& context, const Config& config) {
  workloads::PlacementSpec spec = placement_spec(context, config);
  spec.cost = &context.result.mapping;
  if (!runs_tasks(config)) return spec;
  spec.traffic = [&context, &config] {
    check_files_stay(config);
    workloads::WorkloadSpec whole = workload_spec(context, config);
    whole.limits = workloads::task_limits(task_spec(context, config));
    whole.limits.nics = static_cast<u32>(context.config.integer("node.nics"));
    return workloads::traffic_of_program(*make_program(config, whole));
  };
  return spec;
}

workloads::TaskSpec task_spec(const Context& context, const Config& config) {
  workloads::TaskSpec spec;
  spec.causal =
      meaning_of<bool>(config.text("workload.mode"), {{"at-will", false}, {"causal", true}, {"recorded", false}});
  spec.phit_bytes = static_cast<u32>(config.integer("packet.phit_bytes"));
  spec.header_phits = static_cast<u32>(config.integer("packet.header_phits"));
  spec.packet_bytes = (context.router.packet_phits - spec.header_phits) * spec.phit_bytes;
  spec.seed = context.router.seed;
  spec.local_latency_cycles = static_cast<u64>(config.integer("workload.local_latency_cycles"));
  spec.turnaround_cycles = static_cast<u64>(config.integer("workload.turnaround_cycles"));
  spec.send_gap_cycles = static_cast<u64>(config.integer("workload.send_gap_cycles"));
  spec.ticks_per_ns = compute_ticks_per_ns(context, config, default_cpu_scale(context, config));
  return spec;
}

PlacedProgram make_placed_program(Context& context, const models::Layout& layout, const Config& config,
                                  workloads::Placement given, bool moves) {
  PlacedProgram placed{.config = &config, .program = nullptr, .placement = std::move(given), .processors = {}};
  workloads::WorkloadSpec spec = workload_spec(context, config);
  spec.limits = workloads::task_limits(task_spec(context, config));
  spec.limits.nics = static_cast<u32>(context.config.integer("node.nics"));
  if (workload_kind(config).count_tasks && !moves) spec.keep = tasks_here(context, layout, config, placed.placement);
  placed.program = make_program(config, spec);
  if (placed.placement.node_of_task.empty()) placed.placement = placement(context, config, placed.program->tasks());
  check_nodes_work(context, placed.placement);
  if (context.outside != nullptr) context.outside->place(placed.placement.node_of_task);
  resolve_switches(context, config, *placed.program);
  placed.processors = processors(context, config, placed.program->tasks());
  return placed;
}

PlacedProgram make_placed_program(Context& context, const models::Layout& layout, const Config& config) {
  // Consecutive placement needs no task count to know which tasks are local; others may, so that is found first.
  const workloads::WorkloadKind& kind = workload_kind(config);
  workloads::Placement found;
  if (kind.count_tasks && config.text("placement.policy") != "consecutive")
    found = placement(context, config, kind.count_tasks(workload_spec(context, config)));
  PlacedProgram placed = make_placed_program(context, layout, config, std::move(found));
  const std::vector<std::string> files = workload_files(config);
  const bool from_file = kind.reads_files() && !files.empty();
  context.result.workload_name = fmt::format("{} {}", config.text("workload.kind"),
                                             from_file ? config.text(files.front()) : placed.program->name());
  context.inputs.check_unchanged();
  return placed;
}

bool receives_say_all(const Context& context, const PlacedProgram& placed) {
  const Config& config = *placed.config;
  const workloads::Program& program = *placed.program;
  const models::LogGops own = overheads(config);
  const bool messages_take_time = ends_take_time(context, own) || own.gap_ns > 0 || own.rendezvous_bytes > 0 ||
                                  context.config.integer("node.nics") > 1;
  const bool has_other_times =
      program.keeps_time() || program.waits_for_times() || program.meets() || placed.processors != nullptr;
  return program.is_linear() && !program.has_requests() && matching_of(config, program).packets && !has_other_times &&
         !messages_take_time;
}

workloads::ProgramJob program_job(const Context& context, const PlacedProgram& placed, u32 first_task) {
  const Config& config = *placed.config;
  const bool plain = placed.program->is_linear();
  const workloads::TaskSpec spec = task_spec(context, config);
  workloads::ProgramJob job;
  if (context.router.own.has("class_bytes")) {
    for (const i64 bytes : context.router.own.integers("class_bytes"))
      job.class_bytes.push_back(static_cast<u64>(bytes));
  }
  job.program = placed.program.get();
  job.first_task = first_task;
  job.tasks = placed.program->tasks();
  job.costs = message_costs(context, config);
  job.matching = matching_of(config, *placed.program);
  job.causal = spec.causal || placed.program->listens();
  const auto* const known = std::get_if<double>(&config.value("workload.cpu_scale"));
  const double scale = !workload_kind(config).time_key.empty() ? default_cpu_scale(context, config)
                       : known != nullptr                      ? *known
                                                               : 1;
  // Tasks outside of the simulation say how long they compute, on all networks.
  const bool own_times = !plain || placed.program->listens();
  job.ticks_per_ns = own_times ? compute_ticks_per_ns(context, config, scale) : spec.ticks_per_ns;
  job.outside_ticks = outside_ticks_per_ns(context, *placed.program);
  if (placed.program->keeps_time()) {
    job.keeps_time = true;
    const auto* const flows = dynamic_cast<const workloads::FlowProgram*>(placed.program.get());
    job.records_arrivals = flows != nullptr;
    job.takes_turns = job.forgets_requests = flows != nullptr && flows->has_requests();
    job.causal = placed.program->listens();
    job.ticks_per_ns = job.outside_ticks =
        static_cast<double>(context.time.ticks_per_cycle);  // its times are in cycles
  }
  if (job.program->meets()) job.meeting_ticks = meeting_ticks_per_ns(context);
  if (job.program->switch_groups() > 0) job.switch_latency = switch_latency(context, *job.program);
  set_path(job, context, context.config, spec.local_latency_cycles);
  job.own_at_once = job.matching.packets && !ends_take_time(context, overheads(config));
  job.turnaround_cycles = spec.turnaround_cycles;
  job.send_gap_cycles = spec.send_gap_cycles;
  job.processors = placed.processors;
  check_processors_work(config, job);
  return job;
}

}  // namespace weft::tools
