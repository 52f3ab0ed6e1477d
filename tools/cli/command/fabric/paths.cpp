// `weft fabric paths`: the paths between two hosts.
#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/file/standard_output.hpp"
#include "engine/base/text/numbers.hpp"
#include "engine/base/text/shown.hpp"
#include "models/subnet/switch_graph.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/common_options.hpp"
#include "tools/cli/fabric_choice.hpp"
#include "tools/fabric/host_names.hpp"

namespace weft::tools {
namespace {

using models::ForwardingTables;
using models::Peer;
using models::RouteEnd;
using models::Subnet;
using models::SwitchGraph;

struct FabricPathsOptions {
  FabricChoice fabric;
  std::string from, to;
};

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

/// Prints the path from a host to another, hop by hop.
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

void add_fabric_paths(CLI::App& group, Command& chosen) {
  const auto options = std::make_shared<FabricPathsOptions>();
  CLI::App* command = group.add_subcommand("paths", "the path from a host to another, hop by hop");
  add_fabric_choice(command, options->fabric);
  command->add_option("A", options->from, "host: GUID (0x...), LID or description")->required();
  command->add_option("B", options->to, "host; a LID chooses one of several routes")->required();
  add_tables(command, options->fabric);
  command->footer(
      "Without --tables: how many shortest paths there are, and one of them.\n"
      "Examples:\n"
      "  weft fabric paths ibnetdiscover.txt 'node1 HCA-1' 'node7 HCA-1' --tables opensm-lfts.dump\n"
      "  weft fabric paths examples/thin-tree-uniform.toml n0 n9");
  command->callback([options, &chosen] { chosen = on_first_rank([options] { print_fabric_paths(*options); }); });
}

[[maybe_unused]] const bool fabric_paths_registered =
    CommandRegistry::instance().add("fabric paths", {.place = 30, .add = add_fabric_paths});

}  // namespace
}  // namespace weft::tools
