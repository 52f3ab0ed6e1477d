// `weft fabric info` and `weft fabric paths`: what a fabric is made of, and the paths between two hosts.
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "engine/base/error.hpp"
#include "engine/base/file/output_path.hpp"
#include "engine/base/file/standard_output.hpp"
#include "engine/base/text/numbers.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/table.hpp"
#include "models/subnet/switch_graph.hpp"
#include "tools/cli/fabric_choice.hpp"
#include "tools/fabric/findings.hpp"
#include "tools/fabric/host_names.hpp"

namespace weft::tools {
namespace {

using models::ForwardingTables;
using models::Peer;
using models::RouteEnd;
using models::Subnet;
using models::SwitchGraph;

/// Switches alike: so many ports, so many cabled.
struct Radix {
  u32 ports = 0, cabled = 0;
  auto operator<=>(const Radix&) const = default;
};

struct Facts {
  std::map<Radix, u64> radices;
  std::map<u32, u64> lmcs;
  FabricFindings found;
  u64 cabled_ports = 0, ports = 0, uncabled_hosts = 0, addresses = 0, switches_with_table = 0;
};

Facts facts_of(const Fabric& fabric, const ForwardingTables* tables) {
  const Subnet& subnet = fabric.subnet;
  Facts facts;
  for (u32 s = 0; s < subnet.switches(); ++s) {
    Radix radix{subnet.switch_at(s).ports, 0};
    for (u32 port = 1; port <= radix.ports; ++port)
      radix.cabled += subnet.peer(s, port).kind != Peer::Kind::none ? 1 : 0;
    facts.ports += radix.ports;
    facts.cabled_ports += radix.cabled;
    ++facts.radices[radix];
  }
  for (u32 h = 0; h < subnet.hosts(); ++h) {
    ++facts.lmcs[subnet.host_at(h).lmc];
    facts.addresses += u64{1} << subnet.host_at(h).lmc;
    facts.uncabled_hosts += subnet.peer_of_host(h).kind == Peer::Kind::none ? 1 : 0;
  }
  facts.found = examine_fabric(fabric, {.tables = tables});
  if (tables == nullptr) return facts;
  std::vector<u8> has(subnet.switches(), 0);
  for (u32 t = 0; t < tables->targets(); ++t) {
    const u8* const row = tables->row(t);
    for (u32 s = 0; s < subnet.switches(); ++s) has[s] |= row[s] != ForwardingTables::none ? 1 : 0;
  }
  for (const u8 one : has) facts.switches_with_table += one;
  return facts;
}

nlohmann::json names_json(const Subnet& subnet, const std::vector<u32>& switches) {
  nlohmann::json json = nlohmann::json::array();
  for (const u32 s : switches) json.push_back(shown(subnet.switch_label(s)));
  return json;
}

nlohmann::json json_of(const Fabric& fabric, const Facts& facts, bool tables) {
  const Subnet& subnet = fabric.subnet;
  const auto of_kind = [&fabric](LeftOut kind) { return fabric.left_out[static_cast<std::size_t>(kind)]; };
  nlohmann::json radices = nlohmann::json::array(), lmcs = nlohmann::json::object();
  for (const auto& [radix, count] : facts.radices)
    radices.push_back({{"ports", radix.ports}, {"cabled", radix.cabled}, {"switches", count}});
  for (const auto& [lmc, count] : facts.lmcs) lmcs[std::to_string(lmc)] = count;
  nlohmann::json json = {{"name", fabric.name},
                         {"form", form_name(fabric.form)},
                         {"hosts", subnet.hosts()},
                         {"switches", subnet.switches()},
                         {"links", subnet.switch_links() + subnet.host_links()},
                         {"switch_links", subnet.switch_links()},
                         {"host_links", subnet.host_links()},
                         {"one_way", subnet.one_way()},
                         {"other_cables", fabric.other_cables},
                         {"left_out",
                          {{"aggregation_nodes", of_kind(LeftOut::aggregation_node)},
                           {"not_hosts", of_kind(LeftOut::not_host)},
                           {"routers", of_kind(LeftOut::router)}}},
                         {"nodes_without_guid", fabric.numbered},
                         {"ports", {{"total", facts.ports}, {"cabled", facts.cabled_ports}}},
                         {"uncabled_hosts", facts.uncabled_hosts},
                         {"radices", radices},
                         {"verdict", verdict_word(facts.found)},
                         {"warnings", facts.found.warnings},
                         {"problems", facts.found.problems},
                         {"levels", facts.found.levels.switches()},
                         {"hosts_above_leaves", names_json(subnet, facts.found.levels.hosts_above)},
                         {"lmc", lmcs},
                         {"addresses", facts.addresses},
                         {"speeds", fabric.speeds}};
  if (tables) json["switches_with_table"] = facts.switches_with_table;
  return json;
}

/// Levels, and switches above the lowest that have hosts, a line each. Cables that do not fit are warnings.
std::string levels_text(const Subnet& subnet, const models::MajorityLevels& levels) {
  constexpr std::size_t most = 5;
  const std::vector<u64> switches = levels.switches();
  if (switches.empty()) return labelled("levels", "none (links within a level, or none at all)");
  std::string text =
      labelled("levels", fmt::format("{}, from the hosts up: {} switches", switches.size(), fmt::join(switches, ", ")));
  const std::vector<u32>& above = levels.hosts_above;
  for (std::size_t ix = 0; ix < std::min(above.size(), most); ++ix)
    text += labelled("", "but " + shown(subnet.switch_label(above[ix])) + " above them has hosts, too");
  if (above.size() > most) text += labelled("", fmt::format("and {} more", grouped(above.size() - most)));
  return text;
}

std::string text_of(const Fabric& fabric, const Facts& facts, bool tables) {
  const Subnet& subnet = fabric.subnet;
  std::string text = fmt::format("{} ({})\n", fabric.name, form_name(fabric.form)) + verdict_lines(facts.found);
  text += labelled(
      "hosts",
      grouped(subnet.hosts()) +
          (facts.uncabled_hosts > 0 ? fmt::format(", of which {} have no cable", grouped(facts.uncabled_hosts)) : ""));
  text += labelled("switches", grouped(subnet.switches()));
  std::string heading = "ports";
  for (const auto& [radix, count] : facts.radices) {
    text += labelled(heading, fmt::format("{} with {}, {} of them cabled", counted(count, "switch"),
                                          counted(radix.ports, "port"), radix.cabled));
    heading.clear();
  }
  text += labelled("links",
                   fmt::format("{}{} between switches, {} to hosts{}", grouped(subnet.switch_links()),
                               subnet.one_way() ? " one-way" : "", grouped(subnet.host_links()),
                               fabric.other_cables > 0 ? fmt::format("; {} from host to host or to what is left out",
                                                                     grouped(fabric.other_cables))
                                                       : ""));
  if (fabric.nodes_left_out() > 0) text += labelled("left out", fabric.left_out_text());
  if (fabric.numbered > 0)
    text += labelled("guids",
                     fmt::format("none of {} in the file; numbered as ibsim does", counted(fabric.numbered, "node")));
  heading = "speeds";
  for (const auto& [speed, count] : fabric.speeds) {
    text += labelled(heading, fmt::format("{}: {}", speed, counted(count, "link")));
    heading.clear();
  }
  text += levels_text(subnet, facts.found.levels);
  if (facts.lmcs.size() > 1 || (!facts.lmcs.empty() && facts.lmcs.begin()->first > 0)) {
    heading = "lmc";
    for (const auto& [lmc, count] : facts.lmcs) {
      text += labelled(heading, fmt::format("{}: {}, {} each", lmc, counted(count, "host"), counted(1U << lmc, "LID")));
      heading.clear();
    }
  }
  if (tables)
    text += labelled("tables", fmt::format("of {} of {} switches, {} addresses", grouped(facts.switches_with_table),
                                           grouped(subnet.switches()), grouped(facts.addresses)));
  return text;
}

std::string end_text(const Subnet& subnet, RouteEnd end, u32 at) {
  const std::string name = shown(subnet.switch_label(at));
  switch (end) {
    case RouteEnd::arrives:
      return "";
    case RouteEnd::no_entry:
      return fmt::format("ends at '{}', which has no entry for it", name);
    case RouteEnd::not_cabled:
      return fmt::format("ends at '{}', whose port has no cable", name);
    case RouteEnd::loops:
      return fmt::format("loops, through '{}' among others", name);
    case RouteEnd::wrong_host:
      return fmt::format("ends at another host, at '{}'", name);
  }
  throw Bug("an end of routes without a text");
}

/// Hops of a route as lines; its end too, if it does not arrive.
std::string route_text(const Subnet& subnet, const ForwardingTables& tables, u32 from, u32 target, bool& arrives) {
  std::string text;
  u32 hop = 0, last_switch = 0;
  std::vector<u32> seen;
  const RouteEnd end = models::for_channels(subnet, tables, from, target, [&](u32 channel) {
    const Peer owner = subnet.owner(channel);
    if (owner.kind == Peer::Kind::router) {
      last_switch = owner.id;
      // One round of a loop is enough.
      if (std::ranges::find(seen, channel) != seen.end()) return;
      seen.push_back(channel);
    }
    text += fmt::format("  {:2}  {}\n", ++hop, shown(subnet.channel_name(channel)));
  });
  arrives = end == RouteEnd::arrives;
  if (arrives) return text;
  if (end == RouteEnd::no_entry && hop == 1) last_switch = subnet.peer_of_host(from).id;
  if (end == RouteEnd::no_entry && hop > 1) {
    const u8 port = tables.port(last_switch, target);
    last_switch = subnet.peer(last_switch, port).id;
  }
  return text + fmt::format("      {}\n", end_text(subnet, end, last_switch));
}

/// Paths of least length: how many, and one of them.
std::string minimal_text(const Subnet& subnet, u32 from, u32 to) {
  const Peer begin = subnet.peer_of_host(from), end = subnet.peer_of_host(to);
  const SwitchGraph graph(subnet);
  const std::vector<u32> hops = graph.distances_to(std::span(&end.id, 1));
  if (hops[begin.id] == SwitchGraph::unreachable) return "";
  // Paths from each switch to the end, nearer ones first; cables side by side are paths of their own.
  std::vector<u32> order;
  for (u32 s = 0; s < subnet.switches(); ++s) {
    if (hops[s] <= hops[begin.id]) order.push_back(s);
  }
  std::ranges::stable_sort(order, {}, [&](u32 s) { return hops[s]; });
  std::vector<double> paths(subnet.switches(), 0);
  paths[end.id] = 1;
  for (const u32 s : order) {
    for (const models::SwitchHop& hop : graph.hops(s)) {
      if (hops[hop.to] + 1 == hops[s]) paths[s] += paths[hop.to];
    }
  }
  std::string text =
      fmt::format("{} of {} links, the first of them:\n",
                  paths[begin.id] == 1 ? "one shortest path" : significant(paths[begin.id], 9) + " shortest paths",
                  hops[begin.id] + 2);
  u32 hop = 0;
  text += fmt::format("  {:2}  {}\n", ++hop, shown(subnet.channel_name(subnet.host_channel(from))));
  u32 at = begin.id;
  while (at != end.id) {
    u32 port = 1;
    for (; port <= subnet.switch_at(at).ports; ++port) {
      const Peer peer = subnet.next(at, port);
      if (peer.kind == Peer::Kind::router && hops[peer.id] + 1 == hops[at]) break;
    }
    text += fmt::format("  {:2}  {}\n", ++hop, shown(subnet.channel_name(subnet.channel(at, port))));
    at = subnet.peer(at, port).id;
  }
  return text + fmt::format("  {:2}  {}\n", ++hop, shown(subnet.channel_name(subnet.channel(end.id, end.port))));
}

}  // namespace

void print_fabric_info(const FabricInfoOptions& options) {
  files::CommandFiles files;
  reads_fabric(files, options.fabric);
  files.writes("--json", options.json, files::json_format(), files::Streams::allowed);
  const auto [fabric, tables] = load_choice(options.fabric);
  const Facts facts = facts_of(fabric, tables ? &*tables : nullptr);
  write_answer(options.json, json_of(fabric, facts, tables.has_value()), text_of(fabric, facts, tables.has_value()));
}

void print_fabric_paths(const FabricPathsOptions& options) {
  const auto [fabric, tables] = load_choice(options.fabric);
  const Subnet& subnet = fabric.subnet;
  const HostNames names(subnet);
  const HostNames::Named from = names.find(options.from), to = names.find(options.to);
  for (const HostNames::Named& end : {from, to}) {
    if (subnet.peer_of_host(end.host).kind == Peer::Kind::router) continue;
    throw StuckError(fmt::format("{} has no cable to a switch; no path leads there", host_text(subnet, end.host)));
  }
  if (from.host == to.host)
    throw ConfigError(
        fmt::format("from {0} to {0} there is no path (it is one host); name two", host_text(subnet, to.host)));
  const std::string heading = fmt::format("{} -> {}", host_text(subnet, from.host), host_text(subnet, to.host));
  if (!tables) {
    const std::string text = minimal_text(subnet, from.host, to.host);
    if (text.empty())
      throw StuckError(
          fmt::format("no path leads from {} to {} (they are in two parts of the fabric); check the cables",
                      host_text(subnet, from.host), host_text(subnet, to.host)));
    return files::print(heading + ": " + text);
  }
  // A LID says which route is meant; a host has one for each of its LIDs.
  const u32 first = tables->first_target(to.host) + to.address;
  const bool one = options.to.find_first_not_of("0123456789") == std::string::npos;
  const u32 last = one ? first : first + tables->targets_of(to.host) - 1;
  std::string text;
  bool all_arrive = true;
  for (u32 target = first; target <= last; ++target) {
    bool arrives = false;
    const std::string route = route_text(subnet, *tables, from.host, target, arrives);
    const bool several_lids = tables->targets_of(to.host) > 1;
    text += heading + (several_lids ? fmt::format(", LID {}", tables->lid_of(subnet, target)) : "") + ":\n" + route;
    all_arrive = all_arrive && arrives;
  }
  if (!all_arrive)
    throw StuckError(fmt::format("a route from {} to {} does not arrive; see below", host_text(subnet, from.host),
                                 host_text(subnet, to.host)),
                     text);
  files::print(text);
}

}  // namespace weft::tools
