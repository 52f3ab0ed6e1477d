// Registers switches of cells, a machine of its own: models/switch.
#include <algorithm>
#include <fmt/format.h>

#include "engine/error.hpp"
#include "engine/nearest.hpp"
#include "models/network/packet.hpp"
#include "models/router/router_kind.hpp"
#include "models/switch/port.hpp"
#include "models/switch/routes.hpp"
#include "models/switch/settings.hpp"

namespace weft::models {
namespace {

std::string kinds_with_routes() {
  std::string all;
  for (const std::string& name : RouterRegistry::instance().names()) {
    if (cells::has_routes(router_kind(name))) all += (all.empty() ? "" : ", ") + name;
  }
  return all;
}

std::optional<Complaint> check_routing(const RouterChoice& choice) {
  const std::string routing = choice.keys.text("routing"), mode = choice.keys.text("routing_mode");
  const std::string name = routing == "auto" ? cells::usual_routes(choice.topology) : routing;
  const RouterKind* const kind = RouterRegistry::instance().find(name);
  if (kind == nullptr) {
    return Complaint{"router.routing", "is no kind of router", fmt::format("take one of {}", kinds_with_routes())};
  }
  if (!cells::has_routes(*kind)) {
    return Complaint{"router.routing", "does not fit switches of cells (its routes need routers of its own)",
                     fmt::format("take one of {}", kinds_with_routes())};
  }
  const TopologyKind* const topology = TopologyRegistry::instance().find(choice.topology);
  if (topology != nullptr && !fits_family(*kind, topology->family)) {
    return Complaint{"router.routing", fmt::format("does not fit topology.kind = \"{}\"", choice.topology),
                     fmt::format("use routing = \"{}\"", cells::usual_routes(choice.topology))};
  }
  const bool known = std::ranges::find(kind->modes, mode, &RouterMode::name) != kind->modes.end();
  if (mode != "auto" && (!known || keeps_bubbles(*kind, mode))) {
    std::string all;
    for (const RouterMode& other : kind->modes) {
      if (!other.keeps_bubbles) all += fmt::format("{}\"{}\"", all.empty() ? "" : ", ", other.name);
    }
    const std::string why = known ? fmt::format("deadlocks in switches of cells ({} routers keep room in rings)", name)
                                  : fmt::format("is no mode of {} routers", name);
    return Complaint{"router.routing_mode", why, all.empty() ? "remove it" : "take one of " + all};
  }
  if (!kind->check) return {};
  RouterChoice as_that = choice;
  as_that.mode = mode != "auto" ? mode : cells::usual_mode(*kind);
  std::optional<Complaint> complaint = kind->check(as_that);
  if (complaint) complaint->why += fmt::format(" (the switch takes the routes of {} routers)", name);
  return complaint;
}

std::optional<Complaint> check_switch(const RouterChoice& choice) {
  const auto no_effect = [](const std::string& key, const std::string& why) {
    return Complaint{"router." + key, fmt::format("has no effect on switches of cells ({})", why), "remove it"};
  };
  if (choice.keys.integer("injection_queues") != 1) return no_effect("injection_queues", "nodes have one queue");
  if (choice.keys.integer("lbr_packets") != 0) return no_effect("lbr_packets", "there are no bubbles to guard");
  if (choice.keys.real("ipr_fraction") != 0) return no_effect("ipr_fraction", "a node is an input like others");
  if (choice.keys.integer("virtual_channels") > 255) {
    return Complaint{"router.virtual_channels", "is too many for switches of cells", "use virtual_channels = 255"};
  }
  return check_routing(choice);
}

/// Of what is there all the time, and the packets that wait at nodes when all are full.
u64 switch_bytes(const Topology& topology, const RouterSettings& settings, u32 packet_bytes) {
  if (topology.nodes() > u32{1} << Packet::address_bits) {
    throw ConfigError(fmt::format("a network of {} nodes is too large: packets can address {}; use fewer nodes",
                                  topology.nodes(), u32{1} << Packet::address_bits));
  }
  const cells::SwitchSettings own = cells::switch_settings(settings);
  if (own.buffer_cells < settings.packet_phits) {
    throw ConfigError(
        fmt::format("router.buffer_cells = {} is too few for packets of {} phits (a whole one must fit "
                    "in); use buffer_cells = {}",
                    own.buffer_cells, settings.packet_phits, 2 * settings.packet_phits));
  }
  if (settings.faults) {
    throw ConfigError("router.kind = \"switch\" does not know how to go round what has failed; remove [faults]");
  }
  constexpr u64 entity = 96, port = sizeof(cells::Port) + 40, list = 4, beside_a_packet = 32;
  const u64 channels = settings.virtual_channels;
  u64 bytes = topology.nodes() * (entity + 2 * port + own.node_packets * (packet_bytes + beside_a_packet));
  for (u32 kind = 0; kind < topology.kinds(); ++kind) {
    const u64 ports = topology.kind_ports(kind) + (topology.direct() ? 1 : 0);
    const u64 queues = own.queues == cells::Queues::voq ? ports * ports * (channels + 1) : ports * channels;
    bytes += topology.kind_routers(kind) * (entity + ports * (port + 8 * channels) + queues * list + queues / 8);
  }
  return bytes;
}

void settle_routing(RouterSettings& settings, const std::string& topology) {
  if (settings.own.text("routing") == "auto") settings.own.set("routing", cells::usual_routes(topology));
}

[[maybe_unused]] const bool switch_registered = RouterRegistry::instance().add(
    "switch",
    {.help = "input-queued switches for packets of any length: buffers and credits in cells (phits), virtual output "
             "queues or FIFOs, a crossbar scheduled by iSLIP, age or lot, cut-through or store-and-forward, the routes "
             "of another kind of router. docs/switch.md says what is modelled.",
     .families = {any_family},
     .modes = {{"credits", "of the ways that router.routing leaves open, the one with most credits.", false}},
     .settings = cells::setting_rows(),
     .check = check_switch,
     .routing = {},
     .has_loop = {},
     .bytes = switch_bytes,
     .settle = settle_routing,
     .any_length = true,
     .any_rate = true,
     .searched_routes = [](const Topology& topology, const RouterSettings& settings) -> SearchedRoutes {
       return {cells::make_routing(topology, settings), TakesWay::any, "router.routing"};
     }});

}  // namespace
}  // namespace weft::models
