// `weft fabric route`: tables by an engine of our own, written for OpenSM to load.
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/file/atomic_file.hpp"
#include "engine/base/file/output_path.hpp"
#include "engine/base/text/numbers.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/table.hpp"
#include "models/subnet/engine/routing_engine.hpp"
#include "models/subnet/lids.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/command_files.hpp"
#include "tools/cli/common_options.hpp"
#include "tools/cli/fabric_choice.hpp"
#include "tools/cli/fabric_flow.hpp"
#include "tools/fabric/lft_writer.hpp"

namespace weft::tools {
namespace {

using models::FabricRouting;
using models::Subnet;

struct FabricRouteOptions {
  FabricChoice fabric;
  std::string engine;
  u32 layers = 8;                ///< virtual layers at most
  std::string order = "switch";  ///< of destinations: switch or lid
  std::string out;               ///< tables as OpenSM dumps them
  std::string layers_out;        ///< layers of the routes; empty: none
  std::string json;              ///< "-": standard output; empty: as text
};

/// How many routes there are in each layer.
std::vector<u64> layer_routes(const Subnet& subnet, const FabricRouting& routing) {
  std::vector<u64> routes(routing.layers.used, 0), hosts(subnet.switches(), 0);
  for (u32 h = 0; h < subnet.hosts(); ++h) {
    if (const auto at = subnet.peer_of_host(h); at.kind == models::Peer::Kind::router) ++hosts[at.id];
  }
  for (u32 t = 0; t < routing.tables.targets(); ++t) {
    const u8* const row = routing.tables.row(t);
    for (u32 s = 0; s < subnet.switches(); ++s) {
      if (row[s] != models::ForwardingTables::none) routes[routing.layers.layer(s, t)] += hosts[s];
    }
  }
  return routes;
}

/// LIDs of hosts, switches and what is neither; the largest.
u32 hand_out_all_lids(Fabric& fabric) {
  std::vector<std::pair<u32, u32>> taken;
  for (const OtherPort& other : fabric.others) {
    if (other.lid != 0) taken.emplace_back(other.lid, 1U << other.lmc);
  }
  u32 largest = models::hand_out_lids(fabric.subnet, taken);
  for (OtherPort& other : fabric.others) {
    if (other.lid != 0) continue;
    other.lid = ++largest;
    other.lmc = 0;
  }
  return largest;
}

/// Routes a fabric and writes the tables. Throws StuckError, the file being written, if hosts cannot reach each other.
void route_fabric(const FabricRouteOptions& options) {
  if (!options.fabric.tables.empty()) {
    throw ConfigError("--tables and --engine are both given (route makes tables of its own); leave --tables out");
  }
  files::CommandFiles files;
  reads_fabric(files, options.fabric);
  files.writes("--out", options.out, files::text_format());
  files.writes("--layers-out", options.layers_out, files::text_format());
  files.writes("--json", options.json, files::json_format(), files::Streams::allowed);
  Fabric fabric = load_choice(options.fabric).fabric;
  Subnet& subnet = fabric.subnet;
  const u32 largest_lid = hand_out_all_lids(fabric);
  const FabricRouting routing =
      models::route_subnet(subnet, options.engine, {.most_layers = options.layers, .by_lid = options.order == "lid"});

  files::AtomicFile out(options.out);
  write_lfts(
      subnet, routing, [&out](std::string_view text) { out.write(text); }, fabric.others);
  out.commit();
  if (!options.layers_out.empty()) {
    files::AtomicFile layers(options.layers_out);
    write_layers(subnet, routing, [&layers](std::string_view text) { layers.write(text); });
    layers.commit();
  }
  const auto unrouted = models::unrouted_pairs(subnet, routing.tables);
  const std::vector<u64> in_layer = layer_routes(subnet, routing);
  const nlohmann::json json = {{"fabric", fabric.name},
                               {"hosts", subnet.hosts()},
                               {"switches", subnet.switches()},
                               {"links", subnet.switch_links() + subnet.host_links()},
                               {"switch_links", subnet.switch_links()},
                               {"engine", options.engine},
                               {"lids", largest_lid},
                               {"layers", routing.layers.used},
                               {"layer_routes", in_layer},
                               {"unrouted_pairs", unrouted.pairs},
                               {"nodes_without_guid", fabric.numbered},
                               {"out", options.out}};
  std::string text =
      fmt::format("{}: {} hosts, {} switches\n", fabric.name, grouped(subnet.hosts()), grouped(subnet.switches()));
  text += labelled("engine", fmt::format("{}, {}", options.engine, counted(routing.layers.used, "virtual layer")));
  for (u32 l = 0; l < in_layer.size() && in_layer.size() > 1; ++l) {
    text += labelled(fmt::format("layer {}", l), grouped(in_layer[l]) + " routes");
  }
  if (fabric.numbered > 0) {
    text +=
        labelled("guids", fmt::format("the file says none of {}; they are numbered as ibsim numbers them, and a subnet "
                                      "manager of a real fabric knows others",
                                      counted(fabric.numbered, "node")));
  }
  text += labelled("tables", options.out);
  if (!options.layers_out.empty()) text += labelled("layers", options.layers_out);
  write_answer(options.json, json, text);
  if (unrouted.pairs > 0) {
    throw StuckError(
        fmt::format("{} pairs of hosts have no route, the first from {} to {} (no path between them that {} allows); "
                    "weft fabric check shows what is not connected",
                    grouped(unrouted.pairs), shown(subnet.host_label(unrouted.from)),
                    shown(subnet.host_label(unrouted.to)), options.engine));
  }
}

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

[[maybe_unused]] const bool fabric_route_registered =
    CommandRegistry::instance().add("fabric route", {.place = 40, .add = add_fabric_route});

}  // namespace
}  // namespace weft::tools
