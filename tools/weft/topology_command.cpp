// `weft topology`: what a network is made of and how far its nodes are apart, without simulating it.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/error.hpp"
#include "models/topology/topology.hpp"
#include "tools/config/config.hpp"
#include "tools/config/resolve.hpp"
#include "tools/result/atomic_file.hpp"
#include "tools/result/format.hpp"
#include "tools/weft/commands.hpp"
#include "tools/weft/output.hpp"
#include "tools/weft/topology_check.hpp"
#include "tools/weft/topology_export.hpp"

namespace weft::tools {
namespace {

using models::Topology;

u64 node_links(const Topology& topology) { return topology.direct() ? 0 : topology.nodes(); }

std::string links_text(const Topology& topology) {
  const std::string between = grouped(topology.router_links());
  if (topology.direct()) return fmt::format("{} between routers; nodes are inside the routers", between);
  return fmt::format("{} between routers, {} to nodes", between, grouped(node_links(topology)));
}

std::string wiring_text(const WiringCheck& check) {
  return fmt::format("correct; checked {}: {} routers with {} ports and {} nodes",
                     check.all ? "all" : "a spread sample", grouped(check.routers), grouped(check.ports),
                     grouped(check.nodes));
}

std::string text_of(const Topology& topology, const PortCounts& ports, const WiringCheck& check) {
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
  std::string heading = "facts";
  for (const auto& [label, value] : topology.facts()) {
    text += labelled(heading, label + ": " + value);
    heading.clear();
  }
  return text + labelled("wiring", wiring_text(check));
}

nlohmann::json json_of(const Topology& topology, const PortCounts& ports, const WiringCheck& check) {
  nlohmann::json facts = nlohmann::json::object();
  for (const auto& [label, value] : topology.facts()) facts[label] = value;
  return {
      {"name", topology.name()},
      {"direct", topology.direct()},
      {"nodes", topology.nodes()},
      {"routers", topology.routers()},
      {"router_links", topology.router_links()},
      {"node_links", node_links(topology)},
      {"ports", {{"min", ports.least}, {"max", ports.most}, {"total", ports.total}}},
      {"diameter", topology.diameter()},
      {"mean_distance", topology.mean_distance()},
      {"uniform_load_bound", topology.uniform_load_bound()},
      {"facts", facts},
      {"checked", {{"routers", check.routers}, {"ports", check.ports}, {"nodes", check.nodes}, {"all", check.all}}}};
}

}  // namespace

void inspect_topology(const TopologyOptions& options) {
  const Config config = Config::load(options.config.path, options.config.overrides);
  const auto topology = make_network(config);
  if (!options.export_path.empty()) static_cast<void>(graph_format(options.export_path));
  CommandFiles files;
  reads_config(files, config);
  files.writes("--export", options.export_path);
  files.writes("--json", options.json, Streams::allowed);

  const WiringCheck check = check_wiring(topology->whole());
  const PortCounts ports = count_ports(*topology);
  if (!options.export_path.empty()) export_graph(*topology, options.export_path);
  const std::string json = options.json.empty() ? "" : json_of(*topology, ports, check).dump(2) + "\n";
  if (options.json == "-") return print(json);
  if (!json.empty()) write_file_atomically(options.json, json, Streams::allowed);
  std::string text = text_of(*topology, ports, check);
  if (!options.export_path.empty()) text += labelled("graph", options.export_path);
  if (!json.empty()) text += labelled("json", options.json);
  print(text);
}

}  // namespace weft::tools
