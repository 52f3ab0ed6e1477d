// Registers SpiNNaker's router, a machine of its own: models/machine/spinnaker.
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "models/core/packet.hpp"
#include "models/machine/spinnaker/router_state.hpp"
#include "models/machine/spinnaker/settings.hpp"
#include "models/routing/packed_record.hpp"
#include "models/routing/router_kind.hpp"
#include "models/topology/lattice.hpp"

namespace weft::models {
namespace {

std::optional<Complaint> check_spinnaker(const RouterChoice& choice) {
  if (choice.keys.integer("virtual_channels") != 1) {
    return Complaint{"router.virtual_channels", "does not fit SpiNNaker routers (their links have one channel)",
                     "use virtual_channels = 1"};
  }
  if (choice.shape.has("unidirectional") && choice.shape.flag("unidirectional")) {
    return Complaint{"router.kind",
                     "= \"spinnaker\" does not fit one-way links (emergency routing takes the other way of "
                     "a dimension)",
                     "use router.kind = \"bubble\""};
  }
  if (choice.keys.integer("injection_queues") != 1) {
    return Complaint{"router.injection_queues", "does not fit SpiNNaker routers (a chip's cores share one port)",
                     "use injection_queues = 1"};
  }
  if (!choice.keys.text("multicast_file").empty() && choice.mode != "multicast") {
    return Complaint{"router.multicast_file", "has no effect without routing = \"multicast\"",
                     "use routing = \"multicast\" or remove the file"};
  }
  if (!choice.keys.text("table_file").empty()) {
    if (choice.mode != "multicast") {
      return Complaint{"router.table_file", "has no effect without routing = \"multicast\"",
                       "use routing = \"multicast\" or remove the file"};
    }
    for (const Setting& row : spinnaker::setting_rows()) {
      if (row.name() != "multicast_targets" && row.name() != "multicast_radius") continue;
      if (choice.keys.integer(row.name()) == std::get<i64>(row.fallback)) continue;
      return Complaint{"router." + row.name(), "has no effect beside router.table_file (it says where packets go)",
                       "remove one of the two"};
    }
  }
  return {};
}

/// Bytes of all blocks and, by an estimate from above, of the tables.
u64 spinnaker_bytes(const Topology& topology, const RouterSettings& settings, u32 packet_bytes) {
  if (topology.nodes() > u32{1} << Packet::address_bits) {
    throw ConfigError(fmt::format("a network of {} nodes is too large: packets can address {}; use fewer nodes",
                                  topology.nodes(), u32{1} << Packet::address_bits));
  }
  if (const auto* const lattice = dynamic_cast<const Lattice*>(&topology.whole()))
    static_cast<void>(PackedRecord(*lattice));
  constexpr u64 beside_a_block = 200, entry = 6, entries_of_a_target = 3;
  const spinnaker::BlockShape block{settings.queue_packets, settings.injection_capacity,
                                    packet_bytes + sizeof(RouteState), spinnaker::reinjection_of(settings).packets};
  u64 bytes = topology.routers() * (block.bytes() + beside_a_block);
  if (spinnaker::is_multicast(settings) && settings.own.text("multicast_file").empty() &&
      settings.own.text("table_file").empty()) {
    const u64 targets = static_cast<u64>(settings.own.integer("multicast_targets"));
    bytes += topology.nodes() * entry * std::min<u64>(1 + entries_of_a_target * targets, topology.routers());
  }
  return bytes;
}

/// A packet waits for those before it, and each of them may wait until it is dropped.
IdleAllowance spinnaker_idle_allowance(const Topology& /*topology*/, const RouterSettings& settings) {
  const Tick packets = settings.queue_packets + settings.injection_capacity + 1;
  const Tick kept = spinnaker::reinjection_of(settings).period;
  return {
      .at_router = packets * spinnaker::patience_of(settings).drop + kept, .at_source = 0, .on_link = 0, .journeys = 1};
}

[[maybe_unused]] const bool spinnaker_registered = RouterRegistry::instance().add(
    "spinnaker",
    {.help =
         "the router of SpiNNaker chips. All inputs are merged two by two into one routing engine, which sends on one "
         "packet a cycle; a packet whose output is blocked holds up all behind it, then goes round by two sides of a "
         "triangle (emergency routing), then is dropped. So no deadlock lasts. docs/spinnaker.md says what is "
         "modelled.",
     .families = {"triangular"},
     .modes =
         {{"unicast", "to the destination on a shortest route, x first, then y, then the diagonal. The default."},
          {"multicast",
           "to all targets of the source, whatever destination the pattern draws, by tables of routers keyed by the "
           "source; packets without an entry go straight on."}},
     .settings = spinnaker::setting_rows(),
     .check = check_spinnaker,
     .routing = {},
     .has_loop = {},
     .bytes = spinnaker_bytes,
     .whole_packets = true,
     .drops = "waited too long for blocked outputs",
     .ignores = {{"router.arbitration", "all that comes in is merged into one stream"},
                 {"router.injection", "a chip's cores share one port"},
                 {"router.injection_timeout_cycles", "all that comes in is merged into one stream"},
                 {"router.lbr_packets", "all that comes in is merged into one stream"},
                 {"router.ipr_fraction", "all that comes in is merged into one stream"},
                 {"faults.sweep_ns", "emergency routing needs nobody to know but the two ends of a link"},
                 {"faults.cut_off",
                  "whatever waits too long is dropped, for a link that failed as for one that is busy"}},
     .live_faults = true,
     .idle = spinnaker_idle_allowance});

}  // namespace
}  // namespace weft::models
