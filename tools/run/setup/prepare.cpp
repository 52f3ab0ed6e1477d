// Config to settings: the one place that knows what the keys of [router], [link], [packet] and [measure] mean to the
// models.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <spdlog/spdlog.h>

#include "engine/base/error.hpp"
#include "engine/base/meaning.hpp"
#include "engine/base/system/machine.hpp"
#include "models/machine/cells/settings.hpp"
#include "models/nic/congestion.hpp"
#include "models/routing/router_kind.hpp"
#include "models/subnet/subnet_topology.hpp"
#include "tools/run/config/application.hpp"
#include "tools/run/config/frozen.hpp"
#include "tools/run/config/jobs.hpp"
#include "tools/run/config/rows/registered_rows.hpp"
#include "tools/run/context.hpp"
#include "tools/run/faults/run_faults.hpp"
#include "tools/run/plugin/plugins.hpp"
#include "tools/run/setup/deadlock_check.hpp"
#include "tools/run/setup/link_buffers.hpp"
#include "tools/run/setup/marking_thresholds.hpp"
#include "tools/run/setup/memory_check.hpp"
#include "tools/run/setup/split.hpp"
#include "tools/run/setup/static_routes.hpp"
#include "tools/run/synthetic.hpp"

namespace weft::tools {
namespace {

using models::Arbitration;
using models::InjectionPolicy;

}  // namespace

models::RouterSettings router_settings(const Config& config, const TimeScale& time) {
  models::RouterSettings s;
  s.seed = static_cast<u64>(config.integer("simulation.seed"));
  s.virtual_channels = static_cast<u32>(config.integer("router.virtual_channels"));
  s.kind = resolved_router_kind(config);
  s.queue_packets = static_cast<u32>(config.integer("router.queue_packets"));
  s.injection_queues = static_cast<u32>(config.integer("router.injection_queues"));
  s.injection_capacity = static_cast<u32>(config.integer("router.injection_queue_packets"));
  s.injection_timeout_ticks =
      static_cast<Tick>(config.integer("router.injection_timeout_cycles")) * time.ticks_per_cycle;
  if (!models::ignores(models::router_kind(s.kind), "router.queue_packets")) s.injection_capacity += s.queue_packets;
  WEFT_ASSERT(s.injection_capacity <= 255);  // see check_network.cpp
  s.packet_phits = static_cast<u32>(config.integer("packet.phits"));
  s.phit_bytes = static_cast<u32>(config.integer("packet.phit_bytes"));
  s.cycle_ticks = time.ticks_per_cycle;
  s.packet_ticks = s.packet_phits * time.ticks_per_cycle;
  s.link_ticks = time.latency_ticks;
  s.switch_ticks = static_cast<Tick>(config.integer("router.switch_latency_cycles")) * time.ticks_per_cycle;
  // Free space in queues is reckoned in 32-bit ticks of link time; see check_network.cpp.
  WEFT_ASSERT(static_cast<u64>(s.packet_ticks) * 255 < (u64{1} << 31));
  s.arbitration =
      meaning_of<Arbitration>(config.text("router.arbitration"), {{"round-robin", Arbitration::round_robin},
                                                                  {"random", Arbitration::random},
                                                                  {"fifo", Arbitration::fifo},
                                                                  {"longest", Arbitration::longest},
                                                                  {"age", Arbitration::age},
                                                                  {"age-in-network", Arbitration::age_in_network},
                                                                  {"highest", Arbitration::highest}});
  s.mode = resolved_routing(config);
  s.own = router_parameters(config);
  s.congestion = table_parameters(config, "congestion");
  if (const models::RouterKind& kind = models::router_kind(s.kind); kind.resolve) {
    kind.resolve(s, config.text("topology.kind"));
  }
  s.injection = meaning_of<InjectionPolicy>(config.text("router.injection"),
                                            {{"shortest", InjectionPolicy::shortest},
                                             {"dor", InjectionPolicy::dor},
                                             {"dor-shortest", InjectionPolicy::dor_shortest},
                                             {"shortest-profitable", InjectionPolicy::shortest_profitable},
                                             {"longest-path", InjectionPolicy::longest_path}});
  s.multiple_consumption = means(config.text("router.consumption"), "multiple", "single");
  s.local_buffer_packets = static_cast<u32>(config.integer("router.lbr_packets"));
  const double fraction = config.real("router.ipr_fraction");
  s.transit_priority = fraction >= 1 ? ~u64{0} : static_cast<u64>(std::ldexp(fraction, 64));
  return s;
}

namespace {

/// Nothing where all classes of links are alike.
std::vector<Tick> unless_all_are(Tick usual, std::vector<Tick> ticks) {
  if (std::ranges::all_of(ticks, [usual](Tick t) { return t == usual; })) ticks.clear();
  return ticks;
}

/// Latency of each class of links in ticks; empty if all have that of [link]. What a class does not say is as of all
/// links. `node_links`: whether there are links between nodes and routers.
std::vector<Tick> class_link_ticks(const Config& config, const models::Topology& topology, const TimeScale& time,
                                   bool node_links) {
  std::vector<Tick> ticks;
  const std::vector<std::string> classes = topology.link_classes();
  for (u32 c = 0; c < classes.size(); ++c) {
    const std::string key = fmt::format("link.{}.latency_cycles", classes[c]);
    i64 cycles = find_setting(key) != nullptr ? config.integer(key) : 0;
    if (cycles != 0 && c == models::Topology::node_link_class() && !node_links) {
      spdlog::info("{} = {} has no meaning for router.kind = \"{}\" on {} (nodes sit inside its routers)", key, cycles,
                   resolved_router_kind(config), topology.name());
      cycles = 0;
    }
    ticks.push_back(cycles == 0 ? time.latency_ticks : static_cast<Tick>(cycles) * time.ticks_per_cycle);
  }
  return unless_all_are(time.latency_ticks, std::move(ticks));
}

/// Ticks of a phit on each class of links; empty if it is a cycle on all.
std::vector<Tick> class_cell_ticks(const Config& config, const models::Topology& topology, const TimeScale& time) {
  std::vector<Tick> ticks;
  for (const std::string& name : topology.link_classes()) ticks.push_back(cell_ticks(config, name, time));
  return unless_all_are(time.ticks_per_cycle, std::move(ticks));
}

/// What a crossbar makes of the ticks that phits take on links.
void check_crossbar(const Context& context, const models::RouterKind& kind) {
  const std::string key = "router.speedup";
  if (std::ranges::find(kind.settings, key, &Setting::key) == kind.settings.end()) return;
  std::vector<u64> ticks(context.router.class_cell_ticks.begin(), context.router.class_cell_ticks.end());
  if (ticks.empty()) ticks.push_back(context.time.ticks_per_cycle);
  check_speedup(context.config, context.time, ticks);
}

/// Whether a phit's ticks on a link of each class, and so many times as fast or slow as the topology's links are, are
/// whole numbers that a crossbar divides too, if a cycle has `finer` times its ticks.
bool are_whole(const std::vector<Tick>& ticks, const std::vector<double>& rates, u64 finer) {
  constexpr double rounding = 1e-9;
  return std::ranges::all_of(ticks, [&](Tick of_class) {
    return std::ranges::all_of(rates, [&](double rate) {
      const double exact = static_cast<double>(of_class * finer) / rate;
      return std::abs(exact - std::round(exact)) <= rounding * exact;
    });
  });
}

/// Shorter ticks where the links of a fabric differ in speed, so that a phit takes a whole number of them on each.
void refine_ticks(Context& context, const models::RouterKind& kind) {
  const std::vector<double> rates = context.topology->link_rates();
  if (rates.empty()) return;
  const std::string equal = "topology.link_rates = \"equal\"";
  if (!kind.any_rate) {
    const std::vector<std::string> able = kinds_that(&models::RouterKind::any_rate);
    throw ConfigError(fmt::format(
        "the links of {} are not equally fast, and router.kind = \"{}\" knows links of one rate only; use "
        "router.kind = \"{}\", or {}",
        context.topology->name(), resolved_router_kind(context.config), fmt::join(able, "\" or \""), equal));
  }
  std::vector<Tick> ticks;
  for (const std::string& name : context.topology->link_classes())
    ticks.push_back(cell_ticks(context.config, name, context.time));
  const auto own = router_parameters(context.config);
  const double speedup = own.has("speedup") ? static_cast<double>(own.integer("speedup")) : 1.0;
  std::vector<double> divisors = rates;
  for (double& rate : divisors) rate *= speedup;
  constexpr u64 most_finer = 1000;
  u64 finer = 1;
  while (finer <= most_finer && !are_whole(ticks, divisors, finer)) ++finer;
  // As in check_network.cpp: queues are reckoned in 31 bits of ticks, 255 packets of them.
  const double longest = static_cast<double>(*std::ranges::max_element(ticks) * finer) / rates.front() *
                         static_cast<double>(context.config.integer("packet.phits"));
  if (finer > most_finer || longest * 255 >= static_cast<double>(u64{1} << 31)) {
    throw ConfigError(
        fmt::format("the speeds of the links of {} differ so that no tick is short enough for the fastest "
                    "and long enough for the slowest; use shorter packets, or {}",
                    context.topology->name(), equal));
  }
  context.time.ticks_per_cycle *= finer;
  context.time.latency_ticks *= finer;
}

/// Ticks that a phit takes on the links of a fabric beyond those of the classes, so that the longest is known.
void add_ticks_of_rates(Context& context) {
  const std::vector<double> rates = context.topology->link_rates();
  if (rates.empty()) return;
  std::vector<Tick>& ticks = context.router.class_cell_ticks;
  const std::size_t classes = context.topology->link_classes().size();
  if (ticks.empty()) ticks.assign(classes, context.time.ticks_per_cycle);
  for (std::size_t c = 0; c < classes; ++c) {
    for (const double rate : rates)
      ticks.push_back(static_cast<Tick>(std::llround(static_cast<double>(ticks[c]) / rate)));
  }
}

/// What the kind of router makes of the links of the topology, which the router's settings follow from.
void set_links(Context& context) {
  const models::RouterKind& kind = models::router_kind(context.router.kind);
  context.counts_cells = kind.any_length;
  const bool node_links = !context.topology->direct() || kind.any_rate;
  context.router.class_link_ticks = class_link_ticks(context.config, *context.topology, context.time, node_links);
  if (kind.any_rate)
    context.router.class_cell_ticks = class_cell_ticks(context.config, *context.topology, context.time);
  add_ticks_of_rates(context);
  check_crossbar(context, kind);
}

MeasurePlan measure_plan(const Config& config) {
  MeasurePlan plan;
  plan.warmup_cycles = static_cast<Tick>(config.integer("measure.warmup_cycles"));
  plan.interval_cycles = static_cast<Tick>(config.integer("measure.interval_cycles"));
  plan.max_warmup_cycles = static_cast<Tick>(config.integer("measure.max_warmup_cycles"));
  plan.batch_cycles = static_cast<Tick>(config.integer("measure.batch_cycles"));
  plan.tolerance_fraction = config.real("measure.tolerance_fraction");
  plan.intervals = static_cast<u32>(config.integer("measure.intervals"));
  plan.batches = static_cast<u32>(config.integer("measure.batches"));
  plan.mser = means(config.text("measure.method"), "mser", "published");
  plan.max_cycles = static_cast<Tick>(config.integer("measure.max_cycles"));
  plan.precision_fraction = config.real("measure.precision_fraction");
  plan.confidence_percent = config.real("measure.confidence_percent");
  return plan;
}

/// Refuses workloads that do not fit the network before that is built.
void check_workload(const Context& context, const Config& config) {
  const workloads::WorkloadKind& kind = workload_kind(config);
  const std::string policy = config.text("placement.policy");
  workloads::check_placement(policy, placement_spec(context, config));
  if (!kind.runs_tasks()) {
    if (config.job().empty()) static_cast<void>(make_run_pattern(context));
  } else if (!kind.reads_files()) {
    const u32 nodes = context.attachment->nodes();
    const u32 tasks = make_program(config, workload_spec(context, config))->tasks();
    if (!workloads::placement_kind(policy).of_job) workloads::check_tasks_fit(tasks, nodes, tasks_per_node(config));
  }
}

/// What packets wait in, as a run's summary calls it.
std::string queues_of(const models::RouterSettings& router) {
  const bool of_cells = models::ignores(models::router_kind(router.kind), "router.queue_packets");
  if (of_cells && router.own.has("buffer_cells"))
    return fmt::format("{}-cell buffers", router.own.integer("buffer_cells"));
  return fmt::format("{}-packet queues", router.queue_packets);
}

/// The fabric of a file, or nullptr.
const models::SubnetTopology* fabric_of(const Context& context) {
  return dynamic_cast<const models::SubnetTopology*>(&context.topology->whole().plane().whole());
}

/// Says what is wrong with a fabric that is simulated as a file describes it.
void judge_fabric(Context& context) {
  const models::SubnetTopology* const fabric = fabric_of(context);
  if (fabric == nullptr || context.transport.rank() != 0) return;
  const models::NetworkVerdict verdict = fabric->verdict();
  context.result.fabric_verdict = verdict.word;
  if (verdict.findings.empty()) return;
  context.result.warnings.push_back(fmt::format(
      "is the fabric sound? {}: {}{}", verdict.text, verdict.findings.front(),
      verdict.findings.size() == 1 ? ""
                                   : fmt::format("; weft fabric check says {} more", verdict.findings.size() - 1)));
}

}  // namespace

workloads::WorkloadSpec workload_spec(const Context& context, const Config& config) {
  workloads::WorkloadSpec spec = workload_spec(config, *context.topology, context.attachment->nodes());
  spec.outside = context.outside;
  return spec;
}

workloads::PatternSpec pattern_spec(const Context& context) {
  workloads::PatternSpec pattern;
  pattern.nodes = context.topology->nodes();
  pattern.seed = context.router.seed;
  pattern.dims = context.topology->grid();
  pattern.group_nodes = context.topology->group_nodes();
  pattern.keys = table_parameters(context.config, "workload");
  pattern.worst_case = [&topology = *context.topology](u32 from) {
    const models::NodeRange to = topology.worst_case(NodeId(from)).value_or(models::NodeRange{});
    return std::pair{to.first, to.count};
  };
  if (!context.topology->joins_all() && context.topology->planes() == 1) {
    pattern.distance = [&topology = *context.topology](u32 from, u32 to) {
      return topology.distance(NodeId(from), NodeId(to));
    };
  }
  return pattern;
}

workloads::PlacementSpec placement_spec(const Context& context, const Config& config) {
  const models::Topology& plane = context.topology->plane();
  workloads::PlacementSpec spec;
  spec.nodes = context.attachment->nodes();
  spec.seed = context.router.seed;
  const u32 nics = plane.nodes() / spec.nodes;  // of a node in a plane
  if (nics == 1) spec.grid = plane.grid();
  if (plane.group_nodes() % nics == 0) spec.group_nodes = plane.group_nodes() / nics;
  spec.router_of = [&plane, attachment = *context.attachment](u32 node) {
    return plane.router_of(attachment.home(node)).value();
  };
  if (const auto* const fabric = fabric_of(context); fabric != nullptr && spec.nodes == context.topology->nodes()) {
    spec.nodes_named = [fabric](const std::string& text, const std::string& file) {
      std::vector<workloads::NamedNode> nodes;
      for (const auto& [node, line] : fabric->nodes_named(text, file)) nodes.push_back({node.value(), line});
      return nodes;
    };
  }
  spec.works = [&topology = *context.topology, attachment = *context.attachment](u32 node) {
    for (u32 nic = 0; nic < attachment.nics(); ++nic) {
      if (!topology.works(NodeId(attachment.home(node).value() + attachment.offset(nic)))) return false;
    }
    return true;
  };
  if (!context.topology->joins_all()) {
    spec.distance = [&plane, attachment = *context.attachment](u32 from, u32 to) {
      return plane.distance(attachment.home(from), attachment.home(to));
    };
  }
  spec.keys = table_parameters(config, "placement");
  return spec;
}

std::vector<NodeId> fill_order(const Context& context) {
  return workloads::fill_order(context.config.text("placement.policy"), placement_spec(context, context.config));
}

void prepare(Context& context) {
  const bool network_of_config = context.topology == nullptr;
  const Config& config = context.config;
  context.started_s = wall_s();
  context.rss_before = resident_bytes() / context.transport.threads();
  if (!context.topology) context.topology = make_network(config);  // else one was given
  context.attachment = node_attachment(config, *context.topology);
  context.time = time_scale(config);
  refine_ticks(context, models::router_kind(resolved_router_kind(config)));
  context.router = router_settings(config, context.time);
  context.router.faults = &context.topology->whole() != context.topology.get() || has_live_faults(config);
  set_links(context);
  context.faults = live_faults(context);
  context.router.live_faults = context.faults.get();
  context.measure = measure_plan(config);
  context.stop = resolved_stop(config);
  context.stop_cycles = static_cast<Tick>(config.integer("simulation.cycles"));
  context.max_cycles = static_cast<Tick>(config.integer("simulation.max_cycles"));
  context.watchdog_cycles = static_cast<Tick>(config.integer("simulation.watchdog_cycles"));
  const u32 ranks = context.transport.size();
  context.protocol = resolved_protocol(config, ranks);
  for (const Job& job : jobs_of(config)) of_job(job, [&] { check_workload(context, job.config); });
  if (config.jobs().empty()) check_workload(context, config);
  check_memory(context);
  check_link_buffers(context, check_deadlock(context));
  check_marking_thresholds(context);
  check_static_routes(context);
  judge_fabric(context);
  split(context);
  spdlog::info("{}: {} nodes, {} routers, {} ranks, protocol {}, partition {}", context.topology->name(),
               context.topology->nodes(), context.topology->routers(), ranks, context.protocol,
               ranks == 1 ? "none" : context.partition);
  RunResult& result = context.result;
  result.config_json = json_in_use(config).dump();
  // A network that no file describes cannot be read back.
  result.config_toml = network_of_config ? complete_toml(config) : config.toml();
  result.plugins = plugin_lines();
  result.seed = context.router.seed;
  result.confidence_percent = config.real("measure.confidence_percent");
  result.ranks = ranks;
  result.topology_name = context.topology->name();
  if (const u32 nics = context.attachment->nics(); nics > 1)
    result.topology_name += fmt::format(" with {} compute nodes of {} NICs", context.attachment->nodes(), nics);
  const u32 classes = context.router.traffic_classes, counted = models::cells::counted_classes(context.router);
  for (u32 c = 0; counted > 1 && c < counted; ++c) result.classes.push_back({.traffic_class = c});
  result.marks = models::endpoint::marks_packets(context.router);
  result.chooses_routes = context.router.own.has("dispersion") && context.router.own.text("dispersion") != "none";
  result.router_name = resolved_router_kind(config) + " " + resolved_routing(config) + ", " +
                       (classes > 1 ? std::to_string(classes) + " x " : "") +
                       std::to_string(context.router.virtual_channels) + " VC, " + queues_of(context.router);
  if (context.topology->joins_all()) result.router_name = resolved_router_kind(config);  // without any of that
  result.nodes = context.topology->nodes();
  result.routers = context.topology->routers();
  result.cycle_ns = context.time.cycle_ns;
}

}  // namespace weft::tools
