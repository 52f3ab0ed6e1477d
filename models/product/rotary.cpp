// Registers rotary routers, a machine of its own: models/machine/rotary.
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "models/core/packet.hpp"
#include "models/machine/rotary/circle.hpp"
#include "models/machine/rotary/router_state.hpp"
#include "models/machine/rotary/settings.hpp"
#include "models/routing/packed_record.hpp"
#include "models/routing/router_kind.hpp"
#include "models/topology/lattice.hpp"

namespace weft::models {
namespace {

std::optional<Complaint> check_rotary(const RouterChoice& choice) {
  if (choice.keys.integer("virtual_channels") != 1) {
    return Complaint{"router.virtual_channels", "does not fit rotary routers (their links have one channel)",
                     "use virtual_channels = 1"};
  }
  if (choice.shape.has("unidirectional") && choice.shape.flag("unidirectional")) {
    return Complaint{"router.kind", "= \"rotary\" does not fit one-way links (a packet that goes astray comes back)",
                     "use router.kind = \"bubble\""};
  }
  if (choice.keys.integer("injection_queues") != 1) {
    return Complaint{"router.injection_queues", "does not fit rotary routers (the node has one input stage)",
                     "use injection_queues = 1"};
  }
  for (const char* const key : {"transit_packets", "injection_packets"}) {
    if (choice.keys.integer(key) <= choice.keys.integer("ring_packets")) continue;
    return Complaint{
        fmt::format("router.{}", key),
        fmt::format("is more than a buffer holds (router.ring_packets = {})", choice.keys.integer("ring_packets")),
        fmt::format("the nearest valid value is {}", choice.keys.integer("ring_packets"))};
  }
  return {};
}

u64 rotary_bytes(const Topology& topology, const RouterSettings& settings, u32 packet_bytes) {
  if (topology.nodes() > u32{1} << Packet::address_bits) {
    throw ConfigError(fmt::format("a network of {} nodes is too large: packets can address {}; use fewer nodes",
                                  topology.nodes(), u32{1} << Packet::address_bits));
  }
  const auto* const lattice = dynamic_cast<const Lattice*>(&topology.whole());
  WEFT_ASSERT(lattice != nullptr);
  static_cast<void>(PackedRecord(*lattice));
  const rotary::RingSettings rings = rotary::rings_of(settings);
  const rotary::BlockShape block{rotary::PortCircle(lattice->dimensions()).places(),
                                 settings.queue_packets,
                                 settings.injection_capacity,
                                 rings.buffer,
                                 rings.output,
                                 packet_bytes + sizeof(RouteState)};
  constexpr u64 beside_a_block = 200;
  return topology.routers() * (block.bytes() + beside_a_block);
}

/// A header may take so many buffers in a router, each of which another packet may hold up.
IdleAllowance rotary_idle_allowance(const Topology& topology, const RouterSettings& settings) {
  const rotary::RingSettings rings = rotary::rings_of(settings);
  const Tick places = topology.most_ports() + 1;
  return {.at_router = (rings.rounds + 1) * places * (rings.buffer_ticks + settings.packet_ticks),
          .at_source = 0,
          .on_link = 0,
          .journeys = 1};
}

[[maybe_unused]] const bool rotary_registered = RouterRegistry::instance().add(
    "rotary",
    {.help =
         "routers without virtual channels, crossbar and central arbiter: packets go round on two rings of dual-port "
         "buffers, one in each direction, and leave at the first port that leads nearer and is free. Places stay "
         "free in each ring, new packets leave one more, and who has gone round long enough leaves by any link: so "
         "there is no deadlock. docs/rotary.md says what is modelled.",
     .families = {"grid", "twisted", "lattice", "triangular"},
     .modes = {{"rotary", "by whichever port leads nearer and is free first; the only one.", false}},
     .settings = rotary::setting_rows(),
     .check = check_rotary,
     .routing = {},
     .has_loop = {},
     .bytes = rotary_bytes,
     .ignores = {{"router.arbitration", "packets meet nowhere but at buffers, which take turns"},
                 {"router.injection", "the node has one input stage"},
                 {"router.lbr_packets", "new packets leave a place more free in a ring anyway"},
                 {"router.ipr_fraction", "new packets leave a place more free in a ring anyway"}},
     .live_faults = true,
     .idle = rotary_idle_allowance});

}  // namespace
}  // namespace weft::models
