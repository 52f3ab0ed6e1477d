// Hands a random case to the judge (tests/reference/cell_switch.hpp).
#pragma once

#include "tests/models/cells/random_cases.hpp"
#include "tests/models/network/judged_routes.hpp"
#include "tests/reference/cell_switch.hpp"

namespace weft::models::testing {

inline reference::CellNetwork cell_network(const SwitchCase& given, const Topology& topology) {
  return {.switches = cell_wiring(given, topology),
          .channels = given.channels,
          .classes = given.classes(),
          .strict = given.strict,
          .buffer_cells = given.buffer_cells,
          .shared = given.shared,
          .reserved_cells = given.reserved_cells,
          .speedup = given.speedup,
          .output_cells = given.output_cells,
          .fifo = given.fifo,
          .schedule = schedule_of(given),
          .iterations = given.iterations,
          .choice_in_turn = given.choice_in_turn,
          .transit_first = given.transit_first,
          .store_and_forward = given.store_and_forward,
          .routing = given.routing_ticks,
          .crossing = given.switch_ticks,
          .notice_cells = given.notice_cells != 0 ? given.notice_cells : given.most_cells,
          .window = given.window_cells,
          .longest = given.most_cells,
          .marking = given.marking};
}

/// What a judge asks, windows and marks included.
inline reference::CellRules rules_of(const SwitchCase& given, RoutesOfCase& routes) {
  reference::CellRules rules = routes.rules();
  if (given.window_cells != 0 || given.marking) {
    const u64 seed = RouterSettings{}.seed;
    rules.way_back = [&routes, seed](u32 packet) { return routes.way_back(packet, seed); };
    rules.marking_draw = [seed](u32 at, u32 port, Tick now) {
      return engine::random_bits(seed, at, now << 16 | port, engine::Use::marking) >> 32;
    };
  }
  return rules;
}

/// When the judge has each packet of a case delivered (`never` for those that are stuck after so many ticks).
inline reference::CellOutcome judge(const SwitchCase& given, Tick limit = 20'000, bool checked = true) {
  RoutesOfCase routes(given);
  reference::CellSwitches switches(cell_network(given, routes.topology()), cell_packets(given),
                                   rules_of(given, routes));
  return switches.run(limit, checked);
}

}  // namespace weft::models::testing
