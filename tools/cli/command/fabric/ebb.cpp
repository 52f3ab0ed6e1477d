// `weft fabric ebb`: patterns over the routes of a fabric, on any number of ranks.
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/file/output_path.hpp"
#include "engine/base/text/shown.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/command_files.hpp"
#include "tools/cli/common_options.hpp"
#include "tools/cli/fabric_choice.hpp"
#include "tools/cli/fabric_flow.hpp"
#include "tools/fabric/host_files.hpp"
#include "tools/fabric/packet_config.hpp"
#include "tools/fabric/packet_experiment.hpp"
#include "tools/fabric/report/flow_outputs.hpp"
#include "tools/fabric/report/pair_table.hpp"
#include "tools/run/progress.hpp"
#include "workloads/generator/patterns.hpp"

namespace weft::tools {
namespace {

struct FabricEbbOptions {
  FabricFlowOptions flow;
  std::string pattern = "bisect";
  std::string out;        ///< HDF5; empty: none
  std::string pairs_out;  ///< CSV; empty: none
  u32 bins = default_bins;
  std::string loggp;     ///< empty: no such table
  bool packets = false;  ///< send the patterns as packets, too
  PairMessages messages;
};

/// As many patterns as are sent as packets if nothing says how many.
constexpr u64 default_packets = 50;

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

/// Effective bisection bandwidth, or that of another pattern. Collective.
void measure_fabric(const FabricEbbOptions& options, engine::Transport& transport) {
  const FabricFlowOptions& flow = options.flow;
  const bool from_file = options.pattern.starts_with(file_prefix);
  const std::string pairs_path = from_file ? options.pattern.substr(file_prefix.size()) : "";
  const workloads::PatternChoice pattern =
      from_file ? workloads::PatternChoice{} : workloads::pattern_named(options.pattern);
  check_packets(options, pattern);
  const std::optional<LogGp> loggp = options.loggp.empty() ? std::nullopt : std::optional(loggp_of(options.loggp));
  if (!options.pairs_out.empty() && (flow.lid == "average" || flow.lid == "best")) {
    throw ConfigError(fmt::format(
        "--pairs-out does not fit --lid {} (a pair then has a route to each address); leave one of them out",
        flow.lid));
  }
  if (transport.rank() == 0) {
    files::CommandFiles files;
    notes_files(files, flow);
    files.reads("the pattern", pairs_path);
    files.writes("--out", options.out, files::hdf5_format());
    files.writes("--pairs-out", options.pairs_out, files::csv_format());
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
  const FlowLimits limits = limits_of(flow, experiment, options.packets ? default_packets : default_flows);
  PairTable pairs(first ? options.pairs_out : "", subnet, packets != nullptr);
  FlowSummary summary = run_flows(experiment, limits, transport, progress,
                                  {.packets = packets.get(), .pairs = options.pairs_out.empty() ? nullptr : &pairs});
  if (!first) return;
  pairs.commit();
  FlowReport report = report_on(flow, routed_fabric, options.pattern);
  report.scale = experiment.scale();
  report.bins = options.bins;
  report.loggp = loggp;
  report.both_ways = experiment.settings().both_ways;
  report.summary = std::move(summary);
  if (from_file) report.congestion = experiment.last_congestion();
  if (packets) report.packets = packet_report(*packets, from_file);
  if (options.pattern == "bisect") report.patterns_possible = possible_bisect_patterns(experiment.tasks());
  if (!options.out.empty()) write_hdf5(report, options.out);
  write_answer(flow.json, json_of(report), text_of(report));
}

std::string patterns_text() {
  return listed<workloads::FlowPatternRegistry>(
      "Patterns:", [](const std::string& name, const workloads::FlowPattern& pattern) {
        return pattern.argument.empty() ? name : name + ":" + pattern.argument;
      });
}

/// Patterns as packets.
void add_packets(CLI::App* command, FabricEbbOptions& options) {
  auto* const packets = command->add_flag(
      "--packets", options.packets,
      "simulate the same patterns packet by packet, too (50 unless --count says how many); --set changes the switches");
  command->add_option("--messages", options.messages.messages, "with --packets: messages of each pair, in a row")
      ->type_name("N")
      ->capture_default_str()
      ->check(CLI::Range(1U, 1U << 30).description(""))
      ->needs(packets);
  command->add_option("--bytes", options.messages.bytes, "with --packets: bytes of a message")
      ->type_name("B")
      ->capture_default_str()
      ->check(CLI::Range(u64{1}, u64{1} << 40).description(""))
      ->needs(packets);
  command->add_flag("--both-ways", options.messages.both_ways,
                    "both of a pair send; as packets, each waits for the other's message before its next");
}

void add_fabric_ebb(CLI::App& group, Command& chosen) {
  const auto options = std::make_shared<FabricEbbOptions>();
  CLI::App* command = group.add_subcommand("ebb", "effective bisection bandwidth: what patterns get from the routes");
  add_flow(command, options->flow);
  command->add_option("--pattern", options->pattern, "what is sent, see below; file:F has lines `source destination`")
      ->type_name("P")
      ->capture_default_str();
  command->add_option("-o,--out", options->out, "write everything to this HDF5 file")->type_name("RESULT.h5");
  command->add_option("--pairs-out", options->pairs_out, "write what each pair gets to this file, a row each")
      ->type_name("PAIRS.csv");
  command->add_option("--bins", options->bins, "of the histograms of patterns and of routes")
      ->type_name("N")
      ->capture_default_str()
      ->check(CLI::Range(1U, 100000U).description(""));
  command
      ->add_option(
          "--loggp", options->loggp,
          "ns and ns/byte of a route alone; prints them by congestion: G times it, L and STEP for each further "
          "route")
      ->type_name("L,o,g,G[,STEP]");
  add_packets(command, *options);
  command->footer(
      patterns_text() + "  file:F               pairs of hosts, by GUID (0x...), LID or node description\n" +
      engines_text() +
      "Without --tables and --engine, routes are those of minhop. A route gets 1 / (most routes on any of its links).\n"
      "Examples:\n"
      "  weft fabric ebb ibnetdiscover.txt --tables opensm-lfts.dump --pattern neighbours:6 --precision 0.001\n"
      "  mpirun -n 2 weft fabric ebb examples/fabrics/chic.toml --count 100000 --json - --out chic.h5\n"
      "  weft fabric ebb examples/fabrics/chic.toml --packets --set link.rate_gbps=5.45");
  command->callback([options, &chosen] {
    options->flow.fabric.overrides_packets = options->packets;
    chosen = [options](engine::Transport& transport) { measure_fabric(*options, transport); };
  });
}

[[maybe_unused]] const bool fabric_ebb_registered =
    CommandRegistry::instance().add("fabric ebb", {.place = 50, .add = add_fabric_ebb});

}  // namespace
}  // namespace weft::tools
