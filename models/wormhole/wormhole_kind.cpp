// What kinds of wormhole switches have in common: checks, memory, and the search for deadlock.
#include "models/wormhole/wormhole_kind.hpp"

#include <fmt/format.h>

#include "engine/error.hpp"
#include "models/network/packet.hpp"
#include "models/nic/settings.hpp"
#include "models/switch/port.hpp"
#include "models/switch/route_choice.hpp"
#include "models/switch/routes.hpp"
#include "models/switch/switch_kind.hpp"
#include "models/wormhole/port.hpp"
#include "models/wormhole/settings.hpp"

namespace weft::models::worm {
namespace {

std::optional<Complaint> check_wormhole(const RouterChoice& choice) {
  if (auto complaint = cells::check_scheduling(choice)) return complaint;
  if (auto complaint = cells::check_injection(choice, "wormhole switches")) return complaint;
  if (choice.keys.integer("virtual_channels") != 1) {
    return Complaint{"router.virtual_channels", "does not fit wormhole switches (a packet has a link for itself)",
                     "use virtual_channels = 1"};
  }
  if (auto complaint = nic::check_nics(choice)) return complaint;
  return cells::check_routes(choice, false);
}

/// Of what is there all the time, and the packets that wait at nodes when all are full.
u64 wormhole_bytes(const Topology& topology, const RouterSettings& settings, u32 packet_bytes) {
  if (topology.nodes() > u32{1} << Packet::address_bits) {
    throw ConfigError(fmt::format("a network of {} nodes is too large: packets can address {}; use fewer nodes",
                                  topology.nodes(), u32{1} << Packet::address_bits));
  }
  if (settings.faults) {
    throw ConfigError("wormhole switches do not know how to go round what has failed; remove [faults]");
  }
  const WormSettings own = worm_settings(topology, settings);
  constexpr u64 entity = 48, port = sizeof(Port) + sizeof(cells::Wire) + 4, beside_a_packet = 32;
  u64 bytes = topology.nodes() * (entity + 2 * port + own.node_packets * (packet_bytes + beside_a_packet));
  for (u32 kind = 0; kind < topology.kinds(); ++kind) {
    const u64 ports = topology.kind_ports(kind) + (topology.direct() ? 2 : 0);
    bytes += topology.kind_routers(kind) * (entity + ports * port + (ports + 1) * ((ports + 63) / 64) * 8);
  }
  return bytes;
}

}  // namespace

RouterKind wormhole_kind() {
  return {
      .help =
          "input-buffered switches with one channel a link, for packets of any length and buffers of any: a packet "
          "holds one output after the other, and stretches over several switches where it is held up; credits for "
          "cells (phits), or STOP and GO; the routes of another kind of router, which must leave no cycle of links. "
          "docs/wormhole.md says what is modelled.",
      .families = {any_family},
      .modes = {{"fewest-waiting", "of the ways that router.routing leaves open, the one that fewest packets wait for.",
                 false}},
      .settings = setting_rows(),
      .check = check_wormhole,
      .routing = {},
      .has_loop = {},
      .bytes = wormhole_bytes,
      .settle = cells::settle_routes,
      .machine = "wormhole",
      .any_length = true,
      .any_rate = true,
      .usual = [](const std::string&) -> std::vector<UsualValue> {
        return {{"router.virtual_channels", i64{1}}};
      },
      .searched_routes = [](const Topology& topology, const RouterSettings& settings) -> SearchedRoutes {
        return {cells::make_routing(topology, settings, settings.own.text("routing_mode")), TakesWay::committed,
                "router.routing"};
      }};
}

}  // namespace weft::models::worm
