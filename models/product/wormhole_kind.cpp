// What kinds of wormhole switches have in common: checks, memory, and the search for deadlock.
#include "models/product/wormhole_kind.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "models/core/packet.hpp"
#include "models/core/wire.hpp"
#include "models/machine/cells/route_choice.hpp"
#include "models/machine/worms/port.hpp"
#include "models/machine/worms/settings.hpp"
#include "models/machine/worms/vc_settings.hpp"
#include "models/machine/worms/vc_state.hpp"
#include "models/nic/settings.hpp"
#include "models/product/switch_kind.hpp"
#include "models/routing/routes.hpp"

namespace weft::models::worms {
namespace {

std::optional<Complaint> check_wormhole(const RouterChoice& choice) {
  if (auto complaint = arbiter::check_scheduling(choice, "wormhole", "wormhole")) return complaint;
  if (auto complaint = cells::check_injection(choice, "wormhole switches")) return complaint;
  if (choice.keys.real("ipr_fraction") != 0) {
    return Complaint{"router.ipr_fraction", "has no effect on wormhole switches (a node is an input like others)",
                     "remove it"};
  }
  if (auto complaint = check_vc_keys(choice)) return complaint;
  if (auto complaint = endpoint::check_nics(choice)) return complaint;
  const bool several = choice.keys.integer("virtual_channels") != 1;
  auto complaint = cells::check_routes(choice, several);
  if (complaint && complaint->key == "router.virtual_channels" && !several) {
    const std::string of_one =
        "router.routing = \"source-route\" or \"forwarding-table\", whose routes need one channel with router.engine = "
        "\"updn\"";
    const bool may_be_more = choice.keys.text("flow_control") == "credits" && choice.keys.text("dispersion") == "none";
    complaint->advice = (may_be_more ? complaint->advice + ", or " : "use ") + of_one;
  }
  return complaint;
}

std::vector<IgnoredKey> ignored_keys() {
  std::vector<IgnoredKey> keys = cells::keys_of_packet_queues();
  keys.push_back({"router.ipr_fraction", "a node is an input like others"});
  return keys;
}

/// Bytes of switches with several virtual channels.
u64 vc_bytes(const Topology& topology, const RouterSettings& settings, u32 packet_bytes) {
  const VcSettings own = vc_settings(settings);
  if (settings.faults) {
    throw ConfigError(fmt::format(
        "router.virtual_channels = {} does not go with [faults] in wormhole switches (they know of what fails with one "
        "channel only); remove what fails, or take another router.kind",
        own.channels));
  }
  const std::string routing = settings.own.text("routing"), mode = settings.own.text("routing_mode");
  const RouterKind& routes = router_kind(routing);
  if (mode_row(routes, mode == "auto" ? default_mode(routes) : mode).asks_neighbours) {
    throw ConfigError(
        fmt::format("router.routing = \"{}:{}\" goes by what waits at neighbouring switches, of which wormhole "
                    "switches know nothing; "
                    "use another algorithm of {}, or router.kind = \"switch\"",
                    routing, mode, routing));
  }
  for (u32 kind = 0; kind < topology.kinds(); ++kind) {
    const u64 ports = topology.kind_ports(kind) + (topology.direct() ? 2 : 0);
    if (ports * std::max(own.channels, own.input_speedup) < Channel::draining) continue;
    throw ConfigError(fmt::format("router.virtual_channels = {} is too many for switches of {} ports; use at most {}",
                                  own.channels, ports, (Channel::draining - 1) / ports));
  }
  constexpr u64 entity = 96, beside_a_packet = 40, masks = 3;
  const u64 port = sizeof(Wire) + sizeof(Crossing) + own.input_speedup * sizeof(Feed) +
                   own.channels * (sizeof(Lane) + sizeof(Channel));
  u64 bytes = topology.nodes() * (entity + 2 * port + own.node_packets * (packet_bytes + beside_a_packet));
  for (u32 kind = 0; kind < topology.kinds(); ++kind) {
    const u64 ports = topology.kind_ports(kind) + (topology.direct() ? 1 : 0);
    bytes += topology.kind_routers(kind) * (entity + ports * port + masks * (ports * own.channels / 8 + 8));
  }
  return bytes;
}

/// Bytes of what is there all the time, and of the packets that wait at nodes when all are full.
u64 wormhole_bytes(const Topology& topology, const RouterSettings& settings, u32 packet_bytes) {
  if (topology.nodes() > u32{1} << Packet::address_bits) {
    throw ConfigError(fmt::format("a network of {} nodes is too large: packets can address {}; use fewer nodes",
                                  topology.nodes(), u32{1} << Packet::address_bits));
  }
  const WormSettings own = worm_settings(topology, settings);
  if (settings.virtual_channels > 1) return vc_bytes(topology, settings, packet_bytes);
  constexpr u64 entity = 48, port = sizeof(Port) + sizeof(Wire) + 4, beside_a_packet = 32;
  u64 bytes = topology.nodes() * (entity + 2 * port + own.node_packets * (packet_bytes + beside_a_packet));
  for (u32 kind = 0; kind < topology.kinds(); ++kind) {
    const u64 ports = topology.kind_ports(kind) + (topology.direct() ? 2 : 0);
    bytes += topology.kind_routers(kind) * (entity + ports * port + (ports + 1) * ((ports + 63) / 64) * 8);
    if (settings.faults) bytes += topology.kind_routers(kind) * ports * (port + sizeof(RouteState) + ports / 8);
  }
  return bytes;
}

/// Cells come no faster than a buffer of them for each time that its credits, or a GO, take.
IdleAllowance idle_allowance_of_worms(const Topology& topology, const RouterSettings& settings) {
  const WormSettings own = worm_settings(topology, settings);
  const u64 rounds = (settings.packet_phits + own.buffer_cells - 1) / own.buffer_cells;
  const VcSettings vcs = vc_settings(settings);
  const Tick round_trip = 2 * settings.longest_link_ticks() + settings.switch_ticks + own.cell_ticks + vcs.credit_ticks;
  IdleAllowance allowance{.at_router = own.routing_ticks + (vcs.channels > 1 ? vcs.allocation_ticks : 0),
                          .at_source = 0,
                          .on_link = settings.packet_phits * own.cell_ticks + rounds * round_trip,
                          .journeys = 1};
  const endpoint::NicSettings& nics = own.nics;
  if (!nics.active() || !endpoint::DispersionRegistry::instance().find(nics.scheme)->probes) return allowance;
  // A packet waits for the answers to all probes that find no free route.
  const Tick probe = (topology.diameter() + 2) * (own.routing_ticks + round_trip) + nics.probe_cells * own.cell_ticks;
  allowance.at_source = 2 * nics.dispersion.probe_tries * probe;
  return allowance;
}

}  // namespace

RouterKind wormhole_kind() {
  return {
      .help =
          "input-buffered switches for packets of any length and buffers of any: a packet holds one output, or one "
          "virtual channel of it, after the other, and stretches over several switches where it is held up; credits "
          "for cells (phits), or with one channel STOP and GO; the routes of another kind of router, which must leave "
          "no cycle of channels. docs/wormhole.md says what is modelled.",
      .families = {any_family},
      .modes = {{"fewest-waiting",
                 "of the outputs that router.routing gives as candidates, the one that fewest packets wait for.",
                 false}},
      .settings = setting_rows(),
      .check = check_wormhole,
      .routing = {},
      .has_loop = {},
      .bytes = wormhole_bytes,
      .resolve = cells::resolve_routes,
      .ignores = ignored_keys(),
      .machine = "wormhole",
      .takes_routes = true,
      .any_length = true,
      .any_rate = true,
      .live_faults = true,
      .live_rates = true,
      .defaults = [](const std::string&) -> std::vector<DefaultValue> {
        return {{"router.virtual_channels", i64{1}}};
      },
      .searched_routes = [](const Topology& topology, const RouterSettings& settings) -> SearchedRoutes {
        // With one channel a packet stays with the output that it took to; with several it waits for any.
        const bool any = settings.virtual_channels > 1 && vc_settings(settings).release_on_credit;
        return {make_routing(topology, settings, settings.own.text("routing_mode")),
                any ? TakesCandidate::any : TakesCandidate::committed, "router.routing"};
      },
      .idle = idle_allowance_of_worms};
}

}  // namespace weft::models::worms
