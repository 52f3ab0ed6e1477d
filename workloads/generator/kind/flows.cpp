// Kind "flows": nodes start flows of many packets at random times, or at those of a file.
#include <cmath>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/meaning.hpp"
#include "engine/base/text/text_file.hpp"
#include "workloads/generator/kind/workload_kind.hpp"
#include "workloads/program/flow_program.hpp"

namespace weft::workloads {
namespace {

FlowOrder flow_order(const Parameters& keys) {
  return means(keys.text("flow_order"), "fair", "in-turn") ? FlowOrder::fair : FlowOrder::in_turn;
}

void check_flow_size(u64 bytes, const TaskLimits& limits) {
  if (bytes > limits.message_bytes) throw ConfigError("a flow " + too_many_packets(bytes, limits));
}

/// The pattern of tasks that send flows: the network is known to it where each node has one.
PatternSpec pattern_of_flows(const WorkloadSpec& from) {
  PatternSpec spec;
  spec.nodes = from.tasks;
  spec.seed = from.seed;
  spec.keys = from.keys;
  const models::Topology& topology = *from.topology;
  if (topology.nodes() != from.tasks || topology.planes() != 1) return spec;
  spec.dims = topology.grid();
  spec.group_nodes = topology.group_nodes();
  spec.worst_case = [&topology](u32 node) {
    const models::NodeRange to = topology.worst_case(NodeId(node)).value_or(models::NodeRange{});
    return std::pair{to.first, to.count};
  };
  if (!topology.joins_all())
    spec.distance = [&topology](u32 a, u32 b) { return topology.distance(NodeId(a), NodeId(b)); };
  return spec;
}

std::unique_ptr<Program> listed_flows(const WorkloadSpec& from, const std::string& path) {
  if (from.cycle_ns <= 0) {
    throw ConfigError(
        "workload.flows_path needs the length of a cycle (starts of flows are in ns); give link.rate_gbps, e.g. 100");
  }
  constexpr u64 most_bytes = u64{1} << 30;
  const std::string text = read_text_file<InputError>(path, most_bytes, "file of workload.flows_path");
  const std::vector<ListedFlow> flows = read_flows(text, path, from.tasks);
  for (const ListedFlow& flow : flows) check_flow_size(flow.bytes, from.limits);
  return make_listed_flows(from.tasks, flows, 1 / from.cycle_ns, fmt::format("{} flows", flows.size()),
                           flow_order(from.keys));
}

std::unique_ptr<Program> flows_of(const WorkloadSpec& from) {
  if (from.tasks < 2) throw ConfigError("flows need two tasks; use workload.tasks = 2 or more, or a larger network");
  const Parameters& keys = from.keys;
  if (const std::string path = keys.text("flows_path"); !path.empty()) return listed_flows(from, path);
  FlowSizes sizes = flow_sizes(keys);
  check_flow_size(sizes.most(), from.limits);
  RandomFlowSpec spec;
  spec.tasks = from.tasks;
  spec.flows = static_cast<u64>(keys.integer("flows"));
  if (const i64 cycles = keys.integer("flow_cycles"); cycles > 0) spec.last_cycle = static_cast<u64>(cycles);
  const double load = keys.real("offered_load"), interval_ns = keys.real("flow_interval_ns");
  if (load > 0 && interval_ns <= 0 && !std::isfinite(from.cycle_bytes)) {
    throw ConfigError(
        "workload.offered_load says nothing where NICs send any number of bytes at once (ideal.byte_gap_ns = 0); give "
        "workload.flow_interval_ns, or ideal.byte_gap_ns");
  }
  spec.mean_cycles = load > 0 ? sizes.mean() / (load * from.cycle_bytes) : 1e18;
  if (interval_ns > 0) {
    if (from.cycle_ns <= 0)
      throw ConfigError("workload.flow_interval_ns needs the length of a cycle; give link.rate_gbps, e.g. 100");
    spec.mean_cycles = interval_ns / from.cycle_ns;
  }
  spec.seed = from.seed;
  spec.order = flow_order(keys);
  const std::string pattern = keys.text("pattern");
  return make_random_flows(spec, std::move(sizes), fmt::format("{}, {}", keys.text("flow_sizes"), pattern),
                           make_pattern(pattern, pattern_of_flows(from)));
}

std::optional<Complaint> check_flows(const Parameters& keys) {
  if (!keys.text("flows_path").empty()) return {};
  if (keys.integer("flows") == 0 && keys.integer("flow_cycles") == 0) {
    return Complaint{"workload.flows", "without workload.flow_cycles (flows would start for ever)",
                     "use flows = 10000, or give flow_cycles"};
  }
  if (keys.real("offered_load") <= 0 && keys.real("flow_interval_ns") <= 0)
    return Complaint{"workload.offered_load", "starts no flows", "use for example offered_load = 0.3"};
  return {};
}

std::optional<Complaint> unused_by_flows(const Parameters& keys, const std::string& name) {
  for (const char* const drawn : {"pattern", "offered_load", "flow_sizes", "flow_sizes_path", "flow_bytes",
                                  "flow_scale", "flows", "flow_cycles", "flow_interval_ns"}) {
    if (name == drawn && !keys.text("flows_path").empty())
      return Complaint{"workload." + name, "beside workload.flows_path, which has the flows", "remove one of them"};
  }
  if (name == "offered_load" && keys.real("flow_interval_ns") > 0)
    return Complaint{"workload.offered_load", "beside workload.flow_interval_ns", "remove one of them"};
  return {};
}

[[maybe_unused]] const bool flows_registered = WorkloadRegistry::instance().add(
    "flows",
    {.help = "nodes start flows of many packets at random times, or at those of a file",
     .place = 3,
     .settings =
         {row_of::tasks(),
          row::text("workload.pattern", "uniform", "how destinations are chosen; `weft describe patterns` lists them."),
          row::real("workload.offered_load", "phits/node/cycle", 0.3, {0.0, 1.0},
                    "load of the flows of a task: their bytes over those of messages that its NIC, or the NICs that "
                    "node.nic_policy gives it, could send in the time."),
          row::choice("workload.flow_sizes", "web-search", names_of_flow_sizes(),
                      "sizes of flows. web-search: DCTCP; data-mining: VL2; hadoop: Facebook; fixed: "
                      "workload.flow_bytes; file: workload.flow_sizes_path."),
          row::path("workload.flow_sizes_path", "file of lines `bytes fraction`: how many flows are at most so large.")
              .only_with("workload.flow_sizes", {"file"}),
          row::integer("workload.flow_bytes", "bytes", 100'000, {1, 1'000'000'000'000}, "size of all flows.")
              .only_with("workload.flow_sizes", {"fixed"}),
          row::real("workload.flow_scale", "", 1.0, {1e-6, 1e6}, "sizes of flows are multiplied by it."),
          row::integer("workload.flows", "flows", 10'000, {0, 1'000'000'000},
                       "flows of all tasks together; 0: as many as start in workload.flow_cycles."),
          row::integer("workload.flow_cycles", "cycles", 0, {0, 1'000'000'000'000},
                       "flows start in so many cycles; 0: until there were workload.flows."),
          row::real("workload.flow_interval_ns", "ns", 0, {0, 1e15},
                    "mean time between the starts of two flows of a task; 0: as workload.offered_load says."),
          row::choice("workload.flow_order", "fair", {"fair", "in-turn"},
                      "flows of a task that are at its NIC at one time. fair: their packets take turns; in-turn: one "
                      "after the other. Ideal networks, which carry flows whole, always take them in turn."),
          row::path(
              "workload.flows_path",
              "file with all flows: lines `start_ns source destination bytes`, or a connection matrix of htsim.")},
     .check = check_flows,
     .unused = unused_by_flows,
     .make = flows_of});

}  // namespace
}  // namespace weft::workloads
