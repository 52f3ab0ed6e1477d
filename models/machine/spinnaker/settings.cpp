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
          .only_with("router.routing", {"multicast"})};
}

Patience patience_of(const RouterSettings& settings) {
  const Tick first = static_cast<Tick>(settings.own.integer("wait_cycles")) * settings.cycle_ticks;
  const Tick second = static_cast<Tick>(settings.own.integer("emergency_wait_cycles")) * settings.cycle_ticks;
  return {first, first + second, settings.own.flag("emergency_routing")};
}

bool is_multicast(const RouterSettings& settings) { return settings.mode == "multicast"; }

}  // namespace weft::models::spinnaker
