// The commands of `weft fabric` that route and that send patterns over the routes: options, help and examples.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>

#include "models/subnet/engine/routing_engine.hpp"
#include "tools/cli/common_options.hpp"
#include "tools/cli/fabric_command_line.hpp"
#include "tools/cli/fabric_flow_commands.hpp"
#include "workloads/generator/patterns.hpp"

namespace weft::tools {
namespace {

/// "NAME  help" lines of what is registered.
template <class Registered>
std::string listed(const std::string& heading, const auto& label) {
  std::string text = heading + "\n";
  for (const std::string& name : Registered::instance().names()) {
    const auto* const entry = Registered::instance().find(name);
    text += fmt::format("  {:<20} {}\n", label(name, *entry), entry->help);
  }
  return text;
}

std::string engines_text() {
  return listed<models::RoutingEngineRegistry>("Engines:", [](const std::string& name, const auto&) { return name; });
}

std::string patterns_text() {
  return listed<workloads::FlowPatternRegistry>(
      "Patterns:", [](const std::string& name, const workloads::FlowPattern& pattern) {
        return pattern.argument.empty() ? name : name + ":" + pattern.argument;
      });
}

void add_engine(CLI::App* command, std::string& engine, u32& layers, std::string& order, bool needed) {
  auto* const option = command->add_option("--engine", engine, "routing engine, see below")
                           ->type_name("E")
                           ->check(CLI::IsMember(models::RoutingEngineRegistry::instance().names()).description(""));
  if (needed) option->required();
  command->add_option("--order", order, "destinations switch by switch, or by LID as subnet managers of 2008 took them")
      ->type_name("switch|lid")
      ->capture_default_str()
      ->check(CLI::IsMember({"switch", "lid"}).description(""));
  command->add_option("--layers", layers, "virtual layers that sssp may use")
      ->type_name("N")
      ->capture_default_str()
      ->check(CLI::Range(1U, 16U).description(""));
}

void add_flow(CLI::App* command, FabricFlowOptions& flow) {
  add_fabric_choice(command, flow.fabric);
  add_tables(command, flow.fabric);
  add_engine(command, flow.engine, flow.layers, flow.order, false);
  command
      ->add_option("--count", flow.count,
                   "patterns, or random mappings of one; 1000 if neither this nor --precision is given")
      ->type_name("N")
      ->check(CLI::Range(u64{1}, u64{1} << 40).description(""));
  command
      ->add_option(
          "--precision", flow.precision,
          "stop once the mean is known to ± P (95 % confidence), P an absolute fraction of link bandwidth: 0.001 is a "
          "tenth of a point")
      ->type_name("P")
      ->check(CLI::Range(1e-9, 1.0).description(""));
  command
      ->add_option("--mapping", flow.mapping,
                   "which host runs which task: random, linear, a list of hosts (node[001-008,010]), or a file of such")
      ->type_name("random|linear|LIST|file:F")
      ->capture_default_str();
  command
      ->add_option("--lid", flow.lid, "of hosts with several addresses: first, or the average or best over all of them")
      ->type_name("first|average|best")
      ->capture_default_str()
      ->check(CLI::IsMember({"first", "average", "best"}).description(""));
  command->add_option("--seed", flow.seed, "of all random choices")->type_name("S")->capture_default_str();
  add_progress(command, flow.progress);
  add_json(command, flow.json);
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

}  // namespace

void add_fabric_route(CLI::App& group, Command& chosen) {
  const auto options = std::make_shared<FabricRouteOptions>();
  CLI::App* command =
      group.add_subcommand("route", "forwarding tables by an engine of weft, as files that OpenSM loads");
  add_fabric_choice(command, options->fabric);
  add_engine(command, options->engine, options->layers, options->order, true);
  command->add_option("-o,--out", options->out, "the tables: opensm -R file -U FILE")->type_name("FILE")->required();
  command->add_option("--layers-out", options->layers_out, "routes outside layer 0: leaf switch GUID, LID, layer")
      ->type_name("FILE");
  add_json(command, options->json);
  command->footer(engines_text() +
                  "Exit code 4, with the tables written, if hosts cannot reach each other.\n"
                  "Examples:\n"
                  "  weft fabric route ibnetdiscover.txt --engine updn --out updn.lfts\n"
                  "  weft fabric route examples/thin-tree-uniform.toml --engine dmodk --out tree.lfts");
  command->callback([options, &chosen] { chosen = on_first_rank([options] { route_fabric(*options); }); });
}

void add_fabric_ebb(CLI::App& group, Command& chosen) {
  const auto options = std::make_shared<FabricEbbOptions>();
  CLI::App* command = group.add_subcommand("ebb", "effective bisection bandwidth: what patterns get from the routes");
  add_flow(command, options->flow);
  command->add_option("--pattern", options->pattern, "what is sent, see below; file:F has lines `source destination`")
      ->type_name("P")
      ->capture_default_str();
  command->add_option("-o,--out", options->out, "write everything to this HDF5 file")->type_name("RESULT.h5");
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

void add_fabric_applications(CLI::App& group, Command& chosen) {
  const auto options = std::make_shared<FabricApplicationsOptions>();
  CLI::App* command =
      group.add_subcommand("applications", "what applications keep of their speed, from fractions of run time");
  add_flow(command, options->flow);
  command
      ->add_option("--profile", options->profile,
                   "applications and the fractions of run time that they spend in patterns (TOML)")
      ->type_name("FILE")
      ->required();
  command->footer(
      "Speed left: 1 - sum over patterns of fraction * (1 - bandwidth of the pattern).\n"
      "Examples:\n"
      "  weft fabric applications examples/fabrics/ranger.toml --profile examples/fabrics/applications.toml --count "
      "200\n"
      "  weft fabric applications ibnetdiscover.txt --tables lfts.txt --profile examples/fabrics/applications.toml");
  command->callback([options, &chosen] {
    chosen = [options](engine::Transport& transport) { rate_applications(*options, transport); };
  });
}

}  // namespace weft::tools
