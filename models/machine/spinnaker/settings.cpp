// The rows, and their values in ticks.
#include "models/machine/spinnaker/settings.hpp"

namespace weft::models::spinnaker {

std::vector<Setting> setting_rows() {
  return {
      row::integer("router.wait_cycles", "cycles", 32, {0, 1'000'000},
                   "how long a packet waits in the routing engine, and all behind it, for an output that is busy or "
                   "failed before it takes the two other sides of the triangle; 0: not at all."),
      row::integer("router.emergency_wait_cycles", "cycles", 32, {0, 1'000'000},
                   "how much longer it waits, for the output and for the detour, before it is dropped."),
      row::boolean("router.emergency_routing", true,
                   "whether blocked packets go round; if not, they wait for both times and are dropped."),
      row::integer("router.table_entries", "entries", 1024, {1, 1'000'000},
                   "capacity of a router's multicast table; a run that needs more is refused.")
          .only_with("router.routing", {"multicast"}),
      row::integer("router.multicast_targets", "nodes", 4, {1, 1'000'000},
                   "mode multicast: to how many nodes each node sends, drawn at random from simulation.seed.")
          .only_with("router.routing", {"multicast"})
          .not_beside("router.multicast_file"),
      row::integer("router.multicast_radius", "hops", 0, {0, 1'000'000},
                   "mode multicast: how far those may be; 0: anywhere.")
          .only_with("router.routing", {"multicast"})
          .not_beside("router.multicast_file"),
      row::path("router.multicast_file",
                "mode multicast: a file that names the targets instead, a line for each source: source target target "
                "...; what follows # is a comment.")
          .only_with("router.routing", {"multicast"}),
      row::path(
          "router.table_file",
          "mode multicast: a file with keys of sources (key NODE KEY) and tables of routers by key and mask (entry "
          "ROUTER KEY MASK OUTPUT ...; outputs e, ne, n, w, sw, s, node) instead of targets; what follows # is a "
          "comment. The first entry of a router that matches counts.")
          .only_with("router.routing", {"multicast"})
          .not_beside("router.multicast_file"),
      row::boolean("router.reinjection", false,
                   "whether a monitor core puts dropped packets back into its router; those for which it has no "
                   "place are dropped for good."),
      row::integer("router.reinjection_packets", "packets", 4096, {1, 65'535},
                   "how many dropped packets a monitor core keeps.")
          .only_with("router.reinjection"),
      row::integer("router.reinjection_cycles", "cycles", 1000, {1, 1'000'000},
                   "how often a monitor core looks whether its router is free; if so it puts packets back, one after "
                   "the other, until the router is blocked or none is left.")
          .only_with("router.reinjection")};
}

Reinjection reinjection_of(const RouterSettings& settings) {
  if (!settings.own.flag("reinjection")) return {};
  return {static_cast<u32>(settings.own.integer("reinjection_packets")),
          static_cast<Tick>(settings.own.integer("reinjection_cycles")) * settings.cycle_ticks};
}

Patience patience_of(const RouterSettings& settings) {
  const Tick first = static_cast<Tick>(settings.own.integer("wait_cycles")) * settings.cycle_ticks;
  const Tick second = static_cast<Tick>(settings.own.integer("emergency_wait_cycles")) * settings.cycle_ticks;
  return {first, first + second, settings.own.flag("emergency_routing")};
}

bool is_multicast(const RouterSettings& settings) { return settings.mode == "multicast"; }

}  // namespace weft::models::spinnaker
