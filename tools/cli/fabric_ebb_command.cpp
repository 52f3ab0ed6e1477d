// `weft fabric ebb` and `weft fabric applications`: patterns over the routes of a fabric, on any number of ranks.
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "engine/base/error.hpp"
#include "engine/base/file/output_path.hpp"
#include "engine/base/text/numbers.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/table.hpp"
#include "tools/cli/fabric_choice.hpp"
#include "tools/cli/fabric_flow_commands.hpp"
#include "tools/fabric/applications.hpp"
#include "tools/fabric/flow_outputs.hpp"
#include "tools/fabric/host_files.hpp"
#include "tools/fabric/packet_experiment.hpp"
#include "tools/run/progress.hpp"

namespace weft::tools {
namespace {

/// As many patterns as --precision may take.
constexpr u64 most_for_precision = 10'000'000;
/// As many as are sent if nothing says how many: as flows, and as packets.
constexpr u64 usual_flows = 1000, usual_packets = 50;
constexpr std::string_view file_prefix = "file:";

RoutedFabric routed(const FabricFlowOptions& options) {
  return route_choice(options.fabric, options.engine,
                      {.most_layers = options.layers, .by_lid = options.order == "lid"});
}

FlowSettings settings_of(const FabricFlowOptions& options, const models::Subnet& subnet) {
  FlowSettings settings;
  settings.seed = options.seed;
  settings.lid = options.lid == "average" ? LidChoice::average
                 : options.lid == "best"  ? LidChoice::best
                                          : LidChoice::first;
  if (options.mapping == "linear") settings.mapping = Mapping::linear;
  if (options.mapping.starts_with(file_prefix)) {
    settings.mapping = Mapping::listed;
    settings.hosts = read_host_list(options.mapping.substr(file_prefix.size()), subnet);
  } else if (options.mapping != "linear" && options.mapping != "random") {
    settings.mapping = Mapping::listed;
    settings.hosts = hosts_of_list(options.mapping, subnet);
  }
  return settings;
}

/// How many patterns to send. Patterns that are all the same are sent once.
FlowLimits limits_of(const FabricFlowOptions& options, const FlowExperiment& experiment, u64 usual = usual_flows) {
  FlowLimits limits;
  limits.precision = options.precision;
  limits.count = options.count > 0 ? options.count : options.precision > 0 ? most_for_precision : usual;
  if (experiment.same_each_time()) limits = {.count = 1, .precision = 0};
  return limits;
}

void notes_files(files::CommandFiles& files, const FabricFlowOptions& options) {
  reads_fabric(files, options.fabric);
  if (options.mapping.starts_with(file_prefix)) files.reads("the mapping", options.mapping.substr(file_prefix.size()));
}

FlowReport report_on(const FabricFlowOptions& options, const RoutedFabric& routed, const std::string& pattern) {
  const models::Subnet& subnet = routed.fabric.subnet;
  FlowReport report;
  report.fabric = routed.fabric.name;
  report.routing = routed.routing;
  report.pattern = pattern;
  report.mapping = options.mapping;
  report.lid = options.lid;
  report.hosts = subnet.hosts();
  report.switches = subnet.switches();
  report.switch_links = subnet.switch_links();
  report.host_links = subnet.host_links();
  report.layers = routed.layers;
  report.seed = options.seed;
  if (!models::relative_rates(subnet).empty()) {
    report.speeds = models::speeds_of(subnet);
    report.usual_speed = models::usual_speed(subnet);
  }
  return report;
}

/// Options of packets that say nothing without them, or contradict the others.
void check_packets(const FabricEbbOptions& options, const workloads::PatternChoice& pattern) {
  if (options.messages.both_ways && pattern.pattern != nullptr && pattern.pattern->scale(pattern.argument) > 1) {
    throw ConfigError(
        fmt::format("--both-ways does not fit --pattern {} (both of its neighbours send already); leave "
                    "it out",
                    shown(options.pattern)));
  }
  if (!options.packets) return;
  if (options.flow.precision > 0) {
    throw ConfigError(
        "--precision does not fit --packets (it would not know which of the two bandwidths is to be "
        "precise); use --count");
  }
  if (options.flow.lid != "first") {
    throw ConfigError(
        fmt::format("--lid {} does not fit --packets (packets are sent to the first address of a host); "
                    "leave one of them out",
                    options.flow.lid));
  }
}

std::unique_ptr<PacketExperiment> packet_experiment(const FabricEbbOptions& options, const RoutedFabric& routed) {
  if (!options.packets) return nullptr;
  const FabricFlowOptions& flow = options.flow;
  const bool by_tables = !flow.engine.empty() || !flow.fabric.tables.empty();
  PacketNetwork network = packet_network(flow.fabric.path, flow.fabric.overrides, routed.fabric, routed.tables,
                                         by_tables, options.messages);
  return std::make_unique<PacketExperiment>(std::move(network), options.messages, flow.seed);
}

PacketReport packet_report(const PacketExperiment& packets, bool with_shares) {
  return {.messages = packets.messages(),
          .takes_tables = packets.network().takes_tables,
          .link_mib_per_s = packets.link_mib_per_s(),
          .config = packets.network().config.to_json(),
          .shares = with_shares ? packets.last_shares() : std::vector<double>{}};
}

}  // namespace

void measure_fabric(const FabricEbbOptions& options, engine::Transport& transport) {
  const FabricFlowOptions& flow = options.flow;
  const bool from_file = options.pattern.starts_with(file_prefix);
  const std::string pairs_path = from_file ? options.pattern.substr(file_prefix.size()) : "";
  const workloads::PatternChoice pattern =
      from_file ? workloads::PatternChoice{} : workloads::pattern_named(options.pattern);
  check_packets(options, pattern);
  if (transport.rank() == 0) {
    files::CommandFiles files;
    notes_files(files, flow);
    files.reads("the pattern", pairs_path);
    files.writes("--out", options.out, files::hdf5_format());
    files.writes("--json", flow.json, files::json_format(), files::Streams::allowed);
  }
  const RoutedFabric routed_fabric = routed(flow);
  const models::Subnet& subnet = routed_fabric.fabric.subnet;
  FlowSettings settings = settings_of(flow, subnet);
  settings.pattern = pattern;
  if (from_file) settings.pairs = read_host_pairs(pairs_path, subnet);
  settings.both_ways = options.messages.both_ways;
  FlowExperiment experiment(subnet, routed_fabric.tables, std::move(settings));
  const std::unique_ptr<PacketExperiment> packets = packet_experiment(options, routed_fabric);
  const bool first = transport.rank() == 0;
  Progress progress(first ? progress_mode(flow.progress) : Progress::Mode::never);
  const FlowLimits limits = limits_of(flow, experiment, options.packets ? usual_packets : usual_flows);
  FlowSummary summary = run_flows(experiment, limits, transport, progress, packets.get());
  if (!first) return;
  FlowReport report = report_on(flow, routed_fabric, options.pattern);
  report.scale = experiment.scale();
  report.both_ways = experiment.settings().both_ways;
  report.summary = std::move(summary);
  if (from_file) report.congestion = experiment.last_congestion();
  if (packets) report.packets = packet_report(*packets, from_file);
  if (options.pattern == "bisect") report.patterns_possible = possible_bisect_patterns(experiment.tasks());
  if (!options.out.empty()) write_hdf5(report, options.out);
  write_answer(flow.json, json_of(report), text_of(report));
}

void rate_applications(const FabricApplicationsOptions& options, engine::Transport& transport) {
  const FabricFlowOptions& flow = options.flow;
  const std::vector<Application> applications = read_applications(options.profile);
  if (transport.rank() == 0) {
    files::CommandFiles files;
    notes_files(files, flow);
    files.reads("the profile", options.profile);
    files.writes("--json", flow.json, files::json_format(), files::Streams::allowed);
  }
  const RoutedFabric routed_fabric = routed(flow);
  const bool first = transport.rank() == 0;
  Progress progress(first ? progress_mode(flow.progress) : Progress::Mode::never);
  std::map<std::string, double> bandwidth;
  for (const Application& application : applications) {
    for (const PatternShare& part : application.shares) {
      if (bandwidth.contains(part.pattern)) continue;
      FlowSettings settings = settings_of(flow, routed_fabric.fabric.subnet);
      settings.pattern = workloads::pattern_named(part.pattern);
      FlowExperiment experiment(routed_fabric.fabric.subnet, routed_fabric.tables, std::move(settings));
      bandwidth[part.pattern] = run_flows(experiment, limits_of(flow, experiment), transport, progress).sum_avg;
    }
  }
  if (!first) return;
  const FlowReport report = report_on(flow, routed_fabric, "");
  nlohmann::json json = {{"fabric", report.fabric},     {"hosts", report.hosts},
                         {"switches", report.switches}, {"routing", report.routing},
                         {"mapping", report.mapping},   {"seed", report.seed},
                         {"bandwidth", bandwidth},      {"applications", nlohmann::json::array()}};
  TextTable table{{"application", "in patterns", "speed left"}};
  for (const Application& application : applications) {
    double share = 0;
    for (const PatternShare& part : application.shares) share += part.share;
    const double left = application.left([&](const std::string& pattern) { return bandwidth.at(pattern); });
    table.push_back({application.name, percent(share), percent(left, 2)});
    json["applications"].push_back({{"name", application.name}, {"share", share}, {"left", left}});
  }
  std::string text =
      fmt::format("{}: {} hosts, {} switches\n", report.fabric, grouped(report.hosts), grouped(report.switches));
  text += labelled("routing", report.routing);
  for (const auto& [pattern, mean] : bandwidth) text += labelled(pattern, percent(mean, 2) + " of a link's bandwidth");
  write_answer(flow.json, json, text + aligned(table, 2));
}

}  // namespace weft::tools
