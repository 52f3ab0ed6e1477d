// From keys to programs of tasks.
#include "tools/run/config/application.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"
#include "tools/run/config/resolve.hpp"
#include "workloads/program/message.hpp"
#include "workloads/program/nic_policy/nic_policy.hpp"
#include "workloads/traffic/pattern/pattern.hpp"

namespace weft::tools {

const workloads::WorkloadKind& workload_kind(const Config& config) {
  const auto* const kind = workloads::WorkloadRegistry::instance().find(config.text("workload.kind"));
  WEFT_ASSERT(kind != nullptr);  // the row's choices are those of the registry
  return *kind;
}

bool runs_tasks(const Config& config) { return !config.jobs().empty() || workload_kind(config).runs_tasks(); }

bool uses_patterns(const Config& config) {
  if (!config.jobs().empty()) return false;
  const workloads::WorkloadKind& kind = workload_kind(config);
  return !kind.runs_tasks() ||
         std::ranges::find(kind.settings, "workload.pattern", &Setting::key) != kind.settings.end();
}

bool ends_by_itself(const Config& config) {
  if (config.jobs().empty()) return workload_kind(config).ends;
  return std::ranges::any_of(config.jobs(), [&config](const GivenJob& job) {
    const bool background = config.text(fmt::format("job.{}.repeat", job.name)) == "until-others-end";
    return !background && workload_kind(config.of_job(job.name)).ends;
  });
}

workloads::SourceRules source_rules(const Config& config) {
  const workloads::WorkloadKind& kind = workload_kind(config);
  return kind.sources && config.jobs().empty() ? kind.sources(table_parameters(config, "workload"))
                                               : workloads::SourceRules{};
}

bool draws_arrivals(const Config& config) {
  const workloads::WorkloadKind& kind = workload_kind(config);
  return !kind.runs_tasks() &&
         std::ranges::find(kind.settings, "workload.offered_load", &Setting::key) != kind.settings.end();
}

std::unique_ptr<const workloads::Arrivals> arrivals(const Config& config, double packets_per_cycle, u64 seed) {
  return workloads::make_arrivals(config.text("workload.arrivals"),
                                  {packets_per_cycle, seed, table_parameters(config, "workload")});
}

std::vector<std::string> workload_files(const Config& config) {
  std::vector<std::string> keys;
  for (const GivenJob& job : config.jobs()) {
    for (const std::string& key : workload_files(config.of_job(job.name)))
      keys.push_back(fmt::format("job.{}.{}", job.name, key));
  }
  if (!config.jobs().empty()) return keys;
  const auto add = [&](const Setting& setting) {
    const bool names_one = setting.is_path && !config.text(setting.key).empty();
    if (names_one && std::ranges::find(keys, setting.key) == keys.end()) keys.push_back(setting.key);
  };
  const std::string kind = config.text("workload.kind");
  std::ranges::for_each(workload_kind(config).settings, add);
  if (uses_patterns(config)) {
    const auto* const pattern = workloads::PatternRegistry::instance().find(config.text("workload.pattern"));
    if (pattern != nullptr) std::ranges::for_each(pattern->settings, add);
  }
  for (const Setting& setting : settings()) {  // and those that it shares with others
    const auto owners = std::ranges::find(setting.conditions, "workload.kind", &Condition::key);
    if (setting.table() == "workload" && owners != setting.conditions.end() &&
        std::ranges::find(owners->values, kind) != owners->values.end())
      add(setting);
  }
  return keys;
}

u32 tasks_per_node(const Config& config) {
  const std::string own = "workload.tasks_per_node";
  return static_cast<u32>(config.integer(config.given(own) ? own : "node.tasks"));
}

u32 task_count(const Config& config, u32 nodes) {
  constexpr u64 most = u64{1} << workloads::ProgramPacket::task_bits;
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

models::Attachment node_attachment(const Config& config, const models::Topology& topology) {
  const u32 nics = static_cast<u32>(config.integer("node.nics")), planes = topology.planes();
  if (topology.joins_all() || nics == 1) return models::Attachment(topology);
  const u32 nodes = topology.plane().nodes(), in_plane = nics / planes;
  const bool rails = config.text("node.attachment") == "rails";
  const u32 row = rails ? models::nodes_of_leaf(topology) : 1;
  if (row == 0) {
    throw ConfigError(
        fmt::format("{}: node.attachment = \"rails\" does not fit {} (its leaf switches have different numbers of "
                    "nodes); use \"adjacent\"",
                    shown(config.path()), topology.plane().name()));
  }
  if (rails && row == 1) {
    throw ConfigError(
        fmt::format("{}: node.attachment = \"rails\" does not fit {} (one node on each router); use \"adjacent\", or "
                    "a network with leaf switches",
                    shown(config.path()), topology.plane().name()));
  }
  if (nodes % (u64{in_plane} * row) != 0) {
    throw ConfigError(fmt::format(
        "{}: node.nics = {} does not divide the NICs of the network ({}: {}{}, {} of each node{}); use another number "
        "of NICs or another network",
        shown(config.path()), nics, topology.plane().name(), nodes,
        rails ? fmt::format(" on leaf switches of {}", row) : "", in_plane, planes > 1 ? " in each plane" : ""));
  }
  return {topology, nics, row};
}

double nic_bytes_per_cycle(const Config& config, const models::Topology& topology) {
  const u32 nics = workloads::nics_of_a_task(workloads::nic_policy(config.text("node.nic_policy")),
                                             static_cast<u32>(config.integer("node.nics")));
  const TimeScale time = time_scale(config);
  if (topology.joins_all()) return nics * time.cycle_ns / config.real("ideal.byte_gap_ns");
  const i64 phits = config.integer("packet.phits"), payload = phits - config.integer("packet.header_phits");
  const double phit_bytes =
      static_cast<double>(payload * config.integer("packet.phit_bytes")) / static_cast<double>(phits);
  const u64 phit_ticks = cell_ticks(config, topology.link_classes()[models::Topology::node_link_class()], time);
  return nics * phit_bytes * static_cast<double>(time.ticks_per_cycle) / static_cast<double>(phit_ticks);
}

workloads::WorkloadSpec workload_spec(const Config& config, const models::Topology& topology, u32 nodes) {
  workloads::WorkloadSpec spec;
  spec.keys = table_parameters(config, "workload");
  spec.topology = &topology;
  if (!workload_kind(config).count_tasks) spec.tasks = task_count(config, nodes);
  spec.tasks_per_node = tasks_per_node(config);
  spec.seed = static_cast<u64>(config.integer("simulation.seed"));
  spec.cycle_ns = time_scale(config).cycle_ns;
  spec.cycle_bytes = nic_bytes_per_cycle(config, topology);
  if (const auto* scale = std::get_if<double>(&config.value("workload.cpu_scale"))) spec.cpu_scale = *scale;
  return spec;
}

std::unique_ptr<workloads::Program> make_program(const Config& config, const workloads::WorkloadSpec& spec) {
  const workloads::WorkloadKind& kind = workload_kind(config);
  auto program = kind.make(spec);
  const bool placed = config.text("placement.policy") != "consecutive" || tasks_per_node(config) != 1;
  if (placed && kind.is_of_nodes != nullptr && kind.is_of_nodes(*program)) {
    const std::string key = config.text("workload.name").empty() ? "workload.kind" : "workload.name";
    throw ConfigError(
        fmt::format("{} = \"{}\" says which nodes send (a task on each); remove [placement] and "
                    "workload.tasks_per_node",
                    key, config.text(key)));
  }
  const i64 nics = config.integer("node.nics");
  if (nics > 1 && !spec.topology->joins_all() && kind.is_of_nodes != nullptr && kind.is_of_nodes(*program)) {
    throw ConfigError(
        fmt::format("{} = \"{}\" says which nodes of the topology send, and nodes with {} NICs are several of those; "
                    "remove node.nics, or use another exchange",
                    "workload.name", config.text("workload.name"), nics));
  }
  return program;
}

}  // namespace weft::tools
