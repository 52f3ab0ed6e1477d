// From rows of /ports to the blocks of a figure; see topology_model.js for how they are read.
#include "tools/report/figures/network_figure.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <unordered_map>

#include "engine/base/error.hpp"
#include "engine/base/text/numbers.hpp"
#include "engine/base/text/shown.hpp"
#include "models/subnet/subnet_topology.hpp"
#include "tools/report/figures/network_layout.hpp"
#include "tools/report/figures/varint.hpp"
#include "tools/run/config/resolve.hpp"

namespace weft::tools {
namespace {

using models::Peer;
using models::Topology;
using page::Json;
using page::Page;

constexpr u32 no_peer = ~0U;
constexpr std::size_t most_port_names = 4096, most_named_routers = 20'000;

/// What leads away from each router, port by port; in machines where nodes inside routers have links too, the port to
/// the node is the last.
struct Wiring {
  std::vector<u16> ports;  ///< [router]
  std::vector<u32> peers;  ///< [link]: router, or routers + node, or no_peer
  std::vector<u16> far;    ///< [link]: port at the far router
  std::vector<u8> bends;   ///< [link]
  std::vector<u64> first;  ///< [router]: its first link
};

Wiring wiring_of(const Topology& topology, const NetworkLayout& layout, bool node_ports) {
  Wiring out;
  const std::vector<u8> bends = bends_of(topology, layout);
  const u32 routers = topology.routers();
  constexpr u8 to_own_node = static_cast<u8>(Bend::first_stub + Bend::directions * 5 / 16);
  std::size_t at = 0;
  for (u32 r = 0; r < routers; ++r) {
    out.first.push_back(out.peers.size());
    const u32 ports = topology.ports(RouterId(r));
    for (u32 port = 0; port < ports; ++port) {
      const Peer peer = topology.peer(RouterId(r), port);
      out.peers.push_back(peer.kind == Peer::Kind::none     ? no_peer
                          : peer.kind == Peer::Kind::router ? peer.id
                                                            : routers + peer.id);
      out.far.push_back(static_cast<u16>(peer.kind == Peer::Kind::router ? peer.port : 0));
      out.bends.push_back(bends[at++]);
    }
    if (node_ports) {
      out.peers.push_back(routers + r);
      out.far.push_back(0);
      out.bends.push_back(to_own_node);
    }
    out.ports.push_back(static_cast<u16>(out.peers.size() - out.first.back()));
  }
  return out;
}

/// What channels carried, link by link.
struct Carried {
  std::vector<u8> channels;  ///< [link]: how many rows
  std::vector<u8> channel;   ///< [row]
  std::vector<u16> load;     ///< [row], in load_unit
  Varints packets;           ///< [row]
  double load_unit = 1;      ///< utilisation
};

Carried carried_by(const std::vector<LinkRow>& rows, const Wiring& wiring) {
  std::vector<u32> order(rows.size());
  for (u32 ix = 0; ix < order.size(); ++ix) order[ix] = ix;
  const auto key = [&](u32 ix) { return std::tuple(rows[ix].owner, rows[ix].port, rows[ix].channel); };
  if (!std::ranges::is_sorted(order, {}, key)) std::ranges::sort(order, {}, key);
  double most = 0;
  for (const LinkRow& row : rows) most = std::max(most, std::isfinite(row.utilisation) ? row.utilisation : 0.0);
  Carried out;
  constexpr double steps = 65'535;
  out.load_unit = most > 0 ? most / steps : 1;
  out.channels.assign(wiring.peers.size(), 0);
  for (const u32 ix : order) {
    const LinkRow& row = rows[ix];
    const bool known = row.owner < wiring.ports.size() && row.port < wiring.ports[row.owner] && row.channel < 256;
    const u64 link = known ? wiring.first[row.owner] + row.port : 0;
    if (!known || out.channels[link] == 255) {
      throw InputError(fmt::format(
          "/ports has a row for port {}, channel {} of router {}, which the network of the config does not have; was "
          "the file that describes the network changed?",
          row.port, row.channel, row.owner));
    }
    ++out.channels[link];
    out.channel.push_back(static_cast<u8>(row.channel));
    out.load.push_back(static_cast<u16>(
        std::isfinite(row.utilisation) ? std::lround(std::max(0.0, row.utilisation) / out.load_unit) : 0));
    out.packets.add(row.packets);
  }
  return out;
}

/// Names of ports, those of all routers together, and which of them each link has; nothing if there are too many.
void name_ports(Page& page, const Topology& topology, const Wiring& wiring, Json& spec) {
  std::unordered_map<std::string, u16> numbers;
  std::vector<std::string> names;
  std::vector<u16> named;
  const auto* const fabric = dynamic_cast<const models::SubnetTopology*>(&topology.whole());
  for (u32 r = 0; r < topology.routers() && names.size() <= most_port_names; ++r) {
    for (u32 port = 0; port < wiring.ports[r]; ++port) {
      // Names of a fabric's ports have that of the switch in front.
      std::string name = fabric != nullptr ? fmt::format("port {}", port + 1) : topology.port_name(RouterId(r), port);
      const auto [at, fresh] = numbers.try_emplace(std::move(name), static_cast<u16>(names.size()));
      if (fresh) names.push_back(at->first);
      named.push_back(at->second);
    }
  }
  spec["port_names"] = Json::array();
  if (names.size() > most_port_names) return;
  spec["port_names"] = names;
  spec["blocks"]["name"] = page.block(named);
  if (fabric == nullptr || topology.routers() > most_named_routers) return;
  spec["names"] = Json::array();
  for (u32 r = 0; r < topology.routers(); ++r) spec["names"].push_back(shown(fabric->subnet().switch_label(r), 80));
}

/// How much of the time the links by which nodes send are busy, [node], in `unit`.
std::vector<u16> nic_loads(const std::vector<LinkRow>& rows, u32 nodes, double unit) {
  std::vector<double> loads(nodes, 0);
  for (const LinkRow& row : rows) {
    if (row.owner < nodes && std::isfinite(row.utilisation)) loads[row.owner] += row.utilisation;
  }
  std::vector<u16> out;
  for (const double load : loads) out.push_back(static_cast<u16>(std::min(65'535L, std::lround(load / unit))));
  return out;
}

}  // namespace

std::unique_ptr<Topology> network_of(const RunResult& result) {
  if (result.config_toml.empty()) throw InputError("the result has no config, so its network is not known");
  const std::string name = "config of the result";
  const Config config = Config::load(name, {}, [&](const std::string& asked) {
    if (asked != name)
      throw InputError(
          fmt::format("the config in the result includes '{}' (results hold whole configs)", shown(asked)));
    return result.config_toml;
  });
  auto topology = make_network(config);
  if (topology->routers() != result.routers || topology->nodes() != result.nodes) {
    throw InputError(fmt::format("the config in the result makes {} routers and {} nodes, the run had {} and {}",
                                 topology->routers(), topology->nodes(), result.routers, result.nodes));
  }
  return topology;
}

Json network_figure(Page& page, const Topology& topology, const RunResult& result) {
  u64 links = 0;
  for (u32 r = 0; r < topology.routers() && links <= most_drawn_links; ++r) links += topology.ports(RouterId(r)) + 1;
  const std::vector<LinkRow>& rows = result.extra.ports;
  if (links > most_drawn_links || rows.size() > most_drawn_rows) {
    throw ConfigError(
        fmt::format("the {} is not drawn ({} ports at most, {} rows of /ports); its tables are in the result",
                    topology.name(), grouped(most_drawn_links), grouped(most_drawn_rows)));
  }
  bool node_ports = false;
  if (topology.direct()) {
    for (const LinkRow& row : rows)
      node_ports = node_ports || (row.owner < topology.routers() &&
                                  row.port == topology.ports(RouterId(static_cast<u32>(row.owner))));
  }
  const NetworkLayout layout = layout_of(topology);
  const Wiring wiring = wiring_of(topology, layout, node_ports);
  const Carried carried = carried_by(rows, wiring);
  Json spec = {{"kind", "topology"}, {"wide", true}, {"network", result.topology_name}};
  spec["layout"] = {{"rule", name_of(layout.rule)}, {"dims", layout.dims}};
  spec["load_unit"] = carried.load_unit;
  spec["frames"] = Json::array();
  for (const LayoutFrame& frame : layout.frames)
    spec["frames"].push_back({{"x", frame.x},
                              {"y", frame.y},
                              {"w", frame.width},
                              {"h", frame.height},
                              {"round", frame.round},
                              {"label", frame.label},
                              {"label_x", frame.label_x},
                              {"label_y", frame.label_y}});
  spec["blocks"] = {{"x", page.block(layout.x)},
                    {"y", page.block(layout.y)},
                    {"ports", page.block(wiring.ports)},
                    {"peer", page.block(wiring.peers)},
                    {"far", page.block(wiring.far)},
                    {"bend", page.block(wiring.bends)},
                    {"channels", page.block(carried.channels)},
                    {"channel", page.block(carried.channel)},
                    {"load", page.block(carried.load)},
                    {"packets", page.block(carried.packets.bytes)}};
  if (!layout.part.empty()) spec["blocks"]["part"] = page.block(layout.part);
  if (!result.extra.nic_ports.empty())
    spec["blocks"]["nic"] = page.block(nic_loads(result.extra.nic_ports, topology.nodes(), carried.load_unit));
  name_ports(page, topology, wiring, spec);
  return spec;
}

}  // namespace weft::tools
