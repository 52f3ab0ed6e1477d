// Hands a random case to the judge (tests/reference/worm_switch.hpp).
#pragma once

#include "tests/models/network/judged_routes.hpp"
#include "tests/models/worms/random_worms.hpp"
#include "tests/reference/worm_switch.hpp"

namespace weft::models::testing {

inline reference::WormNetwork worm_network(const WormCase& given, const Topology& topology) {
  return {.switches = cell_wiring(given, topology),
          .buffer_cells = given.buffer_cells,
          .stop_go = given.stop_go,
          .stop_cells = given.stop_cells,
          .go_cells = given.go_cells,
          .schedule = schedule_of(given),
          .routing = given.routing_ticks,
          .crossing = given.switch_ticks};
}

/// When the judge has each packet of a case delivered (`never` for those that are stuck after so many ticks).
inline reference::CellOutcome judge(const WormCase& given, Tick limit = 100'000, bool checked = true) {
  RoutesOfCase routes(given);
  reference::WormSwitches switches(worm_network(given, routes.topology()), cell_packets(given), routes.rules());
  return switches.run(limit, checked);
}

}  // namespace weft::models::testing
