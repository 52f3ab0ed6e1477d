// `weft topology`: what a network is made of and how far its nodes are apart, without simulating it.
#include "models/topology/topology.hpp"

#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "engine/base/error.hpp"
#include "engine/base/file/atomic_file.hpp"
#include "engine/base/file/output_path.hpp"
#include "engine/base/file/standard_output.hpp"
#include "engine/base/text/numbers.hpp"
#include "engine/base/text/table.hpp"
#include "models/topology/load_left.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/command/shortest_routes.hpp"
#include "tools/cli/command/single_failures.hpp"
#include "tools/cli/command_files.hpp"
#include "tools/cli/common_options.hpp"
#include "tools/cli/topology_check.hpp"
#include "tools/cli/topology_export.hpp"
#include "tools/cli/topology_find.hpp"
#include "tools/report/cost/cost_outputs.hpp"
#include "tools/run/config/config.hpp"
#include "tools/run/config/resolve.hpp"
#include "tools/run/setup/static_routes.hpp"

namespace weft::tools {
namespace {

struct TopologyOptions {
  ConfigChoice config;
  std::string json;         ///< counts and facts; "-": standard output, which then holds nothing else; empty: as text
  std::string export_path;  ///< graph as .graphml, .dot or .json; empty: none
  bool single_failures = false;  ///< try what is left when a link or router fails
  std::string cost;              ///< prices and floor; empty: nothing is said of cost
};

using models::Topology;

u64 node_links(const Topology& topology) { return topology.direct() ? 0 : topology.nodes(); }

std::string links_text(const Topology& topology) {
  const std::string between = grouped(topology.router_links()) + (topology.one_way() ? " one-way" : "");
  if (topology.direct()) return fmt::format("{} between routers; nodes are inside the routers", between);
  return fmt::format("{} between routers, {} to nodes", between, grouped(node_links(topology)));
}

std::string wiring_text(const Topology& topology, const WiringCheck& check) {
  if (check.all)
    return fmt::format("correct; checked all: {} routers with {} ports and {} nodes", grouped(check.routers),
                       grouped(check.ports), grouped(check.nodes));
  return fmt::format("correct; checked a spread sample: {} of {} routers with {} ports and {} of {} nodes",
                     grouped(check.routers), grouped(topology.routers()), grouped(check.ports), grouped(check.nodes),
                     grouped(topology.nodes()));
}

std::string text_of(const Topology& topology, const PortCounts& ports, const WiringCheck& check,
                    const std::optional<models::WorstLink>& worst, const std::optional<ShortestRoutes>& routes,
                    const std::optional<models::LoadLeft>& left) {
  std::string text = topology.name() + "\n";
  text += labelled("nodes", grouped(topology.nodes()));
  text += labelled("routers", grouped(topology.routers()));
  const std::string from = ports.least == ports.most ? "" : grouped(ports.least) + " to ";
  text += labelled("ports", fmt::format("{}{} a router, {} in all", from, grouped(ports.most), grouped(ports.total)));
  text += labelled("links", links_text(topology));
  text += labelled("distance", fmt::format("diameter {}, mean {} links{}", grouped(topology.diameter()),
                                           significant(topology.mean_distance(), 6),
                                           topology.direct() ? "" : ", the two node links included"));
  text += labelled("load bound", fmt::format("{} phits/node/cycle under uniform traffic (bisection or narrowest level)",
                                             significant(topology.uniform_load_bound(), 6)));
  if (left) {
    const std::string what = fmt::format("at most {}; more fills {}", significant(left->bound, 6), left->why);
    text += labelled("load left", left->bound < 1 ? what : "1, as far as links go");
  }
  if (routes) {
    text += labelled("routes", fmt::format("{} of {} between routers of the farthest nodes",
                                           routes->least == routes->most
                                               ? counted(static_cast<u64>(routes->most), "shortest one")
                                               : fmt::format("{} to {} shortest ones", significant(routes->least, 8),
                                                             significant(routes->most, 8)),
                                           counted(routes->links, "link")));
  }
  std::string heading = "facts";
  for (const auto& [label, value] : topology.facts()) {
    text += labelled(heading, label + ": " + value);
    heading.clear();
  }
  if (worst && is_uneven(*worst, topology)) {
    text += labelled("routing", fmt::format("fixed and uneven: {} of router {} is full at {} phits/node/cycle",
                                            topology.port_name(RouterId(worst->router), worst->port), worst->router,
                                            load_bound_text(*worst)));
  }
  return text + labelled("wiring", wiring_text(topology, check));
}

nlohmann::json json_of(const Topology& topology, const PortCounts& ports, const WiringCheck& check,
                       const models::StaticLoad& load, const std::optional<ShortestRoutes>& routes,
                       const std::optional<models::LoadLeft>& left) {
  const std::optional<models::WorstLink>& worst = load.worst;
  nlohmann::json facts = nlohmann::json::object();
  for (const auto& [label, value] : topology.facts()) facts[label] = value;
  const nlohmann::json fixed_bound = worst ? nlohmann::json(worst->load_bound) : nlohmann::json();
  nlohmann::json fixed_routes = {{"why_not", load.why_not}};
  if (worst) {
    fixed_routes = {{"load_bound", worst->load_bound},     {"exact", worst->exact},   {"error", worst->error},
                    {"destinations", worst->destinations}, {"router", worst->router}, {"port", worst->port},
                    {"lost_pairs", worst->lost_pairs}};
  }
  nlohmann::json farthest;
  if (routes) farthest = {{"links", routes->links}, {"min", routes->least}, {"max", routes->most}};
  return {
      {"name", topology.name()},
      {"direct", topology.direct()},
      {"nodes", topology.nodes()},
      {"routers", topology.routers()},
      {"router_links", topology.router_links()},
      {"node_links", node_links(topology)},
      {"one_way", topology.one_way()},
      {"ports", {{"min", ports.least}, {"max", ports.most}, {"total", ports.total}}},
      {"switching", cost::measures_json(cost::measures_of(topology))},
      {"diameter", topology.diameter()},
      {"mean_distance", topology.mean_distance()},
      {"uniform_load_bound", topology.uniform_load_bound()},
      {"load_bound_left", left ? nlohmann::json(left->bound) : nlohmann::json()},
      {"fixed_routes_load_bound", fixed_bound},
      {"fixed_routes", fixed_routes},
      {"farthest_routes", farthest},
      {"facts", facts},
      {"checked", {{"routers", check.routers}, {"ports", check.ports}, {"nodes", check.nodes}, {"all", check.all}}}};
}

/// Prints counts and facts of the config's topology and checks its wiring (a Bug if that is wrong).
void inspect_topology(const TopologyOptions& options) {
  const Config config = Config::load(options.config.path, options.config.overrides);
  const auto topology = make_network(config);
  std::optional<cost::NetworkCost> cost;
  if (!options.cost.empty()) cost = cost::cost_of(*topology, cost::load_cost_table(options.cost));
  if (!options.export_path.empty()) static_cast<void>(graph_format(options.export_path));
  files::CommandFiles files;
  reads_config(files, config);
  if (cost) files.reads("--cost", options.cost);
  files.writes("--export", options.export_path);
  files.writes("--json", options.json, files::json_format(), files::Streams::allowed);

  std::optional<SingleFailures> failures;
  if (options.single_failures) failures = try_single_failures(config, *topology);
  const WiringCheck check = check_wiring(topology->whole());
  const PortCounts ports = count_ports(*topology);
  if (!options.export_path.empty()) export_graph(*topology, options.export_path);
  const models::StaticLoad worst = worst_link_of(config, *topology);
  const std::optional<ShortestRoutes> farthest = shortest_routes_of(*topology);
  std::optional<models::LoadLeft> left;
  if (&topology->whole() != topology.get()) left = models::load_left(*topology);
  std::string json;
  if (!options.json.empty()) {
    nlohmann::json found = json_of(*topology, ports, check, worst, farthest, left);
    if (cost) found["cost"] = cost::cost_json(*cost, topology->plane().nodes());
    if (failures) found["single_failures"] = json_of(*failures);
    json = found.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  }
  if (options.json == "-") return files::print(json);
  if (!json.empty()) files::write_file_atomically(options.json, json, files::Streams::allowed);
  std::string text = text_of(*topology, ports, check, worst.worst, farthest, left);
  if (cost) text += cost::cost_text(*cost, cost::measures_of(*topology), topology->plane().nodes());
  if (failures) text += text_of(*failures);
  if (!options.export_path.empty()) text += labelled("graph", options.export_path);
  if (!json.empty()) text += labelled("json", options.json);
  files::print(text);
}

void add_topology(CLI::App& app, Command& chosen) {
  const auto options = std::make_shared<TopologyOptions>();
  const auto find = std::make_shared<FindOptions>();
  CLI::App* command = app.add_subcommand("topology", "counts, distances and bounds of a network; checks its wiring");
  CLI::Option* config = command->add_option("CONFIG", options->config.path, "config file (TOML)");
  add_overrides(command, options->config);
  CLI::Option* nodes = command->add_option("--find", find->nodes, "list networks of each kind of about so many nodes")
                           ->type_name("NODES")
                           ->excludes(config)
                           ->check(CLI::Range(2, 1 << 30).description(""));
  command->add_option("--radix", find->radix, "of those, with routers of at most so many ports")
      ->type_name("PORTS")
      ->needs(nodes)
      ->check(CLI::Range(2, 1 << 20).description(""));
  command->add_option("--json", options->json, "write the same as JSON; - is standard output, with nothing else on it")
      ->type_name("FILE|-");
  command->add_option("--export", options->export_path, "write the graph; the format is that of the name")
      ->type_name("FILE.{graphml,dot,json}");
  command->add_option("--cost", options->cost, "racks, cables by length, price and power, from this table of prices")
      ->type_name("PRICES.toml");
  command->add_flag("--single-failures", options->single_failures,
                    "let each link and each router fail in turn, have the routes made anew, and try them all");
  command->footer(
      "Examples:\n"
      "  weft topology examples/torus-uniform.toml --export torus.graphml\n"
      "  weft topology examples/recovery.toml --single-failures\n"
      "  weft topology --find 1000 --radix 32 --cost examples/costs/machine-room.toml");
  command->callback([options, find, &chosen] {
    find->json = options->json;
    find->cost = options->cost;
    if (find->nodes == 0 && options->config.path.empty()) throw CLI::RequiredError("CONFIG, or --find NODES");
    chosen = on_first_rank([options, find] {
      if (find->nodes > 0) return find_topologies(*find);
      inspect_topology(*options);
    });
  });
}

[[maybe_unused]] const bool topology_registered =
    CommandRegistry::instance().add("topology", {.place = 40, .add = add_topology});

}  // namespace
}  // namespace weft::tools
