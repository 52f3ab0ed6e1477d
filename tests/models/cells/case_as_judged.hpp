// Runs a random case with the model of switches of cells, to compare it with what the judge says.
#pragma once

#include "tests/models/cells/judge.hpp"
#include "tests/models/network/case_and_judge.hpp"

namespace weft::models::testing {

inline void add_marking(Parameters& keys, const reference::CellMarking& m) {
  const auto share = [](u64 units) { return static_cast<double>(units) * 0x1p-24; };
  if (!m.table.empty()) {
    keys.set("kind", std::string("infiniband"));
    keys.set("min_cells", i64{m.above});
    keys.set("marking_rate", i64{m.spared});
    keys.set("least_cells", i64{m.least_cells});
    keys.set("cct_percent", std::vector<i64>(m.table.begin(), m.table.end()));
    keys.set("cct_increase", i64{m.increase});
    keys.set("cct_timer_cycles", static_cast<i64>(m.timer));
    return;
  }
  keys.set("kind", std::string("dcqcn"));
  keys.set("min_cells", i64{m.above});
  keys.set("max_cells", i64{m.surely_above});
  keys.set("max_probability", static_cast<double>(m.probability) * 0x1p-32);
  keys.set("cnp_cycles", static_cast<i64>(m.quiet));
  keys.set("rate_timer_cycles", static_cast<i64>(m.timer));
  keys.set("rate_counter_cells", static_cast<i64>(m.counter));
  keys.set("rate_stages", static_cast<i64>(m.stages));
  keys.set("rate_gain", share(m.gain));
  keys.set("rate_step", share(m.step));
  keys.set("rate_fast_step", share(m.fast_step));
  keys.set("rate_least", share(m.least));
}

/// The setup of a case.
inline Case setup_of_switches(const SwitchCase& given) {
  Case setup = setup_of(given, "switch");
  Parameters& own = setup.router.own;
  own.set("queues", std::string(given.fifo ? "fifo" : "voq"));
  own.set("switching", std::string(given.store_and_forward ? "store-and-forward" : "cut-through"));
  own.set("speedup", i64{given.speedup});
  own.set("output_buffer_cells", i64{given.output_cells});
  own.set("buffers", std::string(given.shared ? "shared" : "channel"));
  if (given.shared) own.set("reserved_cells", i64{given.reserved_cells});
  own.set("traffic_classes", i64{given.classes()});
  own.set("class_priority", std::string(given.strict ? "strict" : "none"));
  if (!given.shares.empty()) own.set("class_shares", std::vector<i64>(given.shares.begin(), given.shares.end()));
  own.set("adaptive_choice", std::string(given.choice_in_turn ? "round-robin" : "space"));
  if (given.by_flow) own.set("route_per", std::string("flow"));
  if (given.notice_cells != 0) own.set("notice_cells", i64{given.notice_cells});
  Parameters& congestion = setup.router.congestion;
  if (given.window_cells != 0) congestion.set("kind", std::string("windows"));
  congestion.set("window_cells", i64{given.window_cells});
  if (given.marking) add_marking(congestion, *given.marking);
  if (given.classes() > 1) own.set("class_modes", fmt::format("{}", fmt::join(given.modes, ", ")));
  return setup;
}

inline void expect_switches_as_judged(const SwitchCase& drawn) {
  const SwitchCase given = for_scripted_host(drawn);
  SCOPED_TRACE(given.describe());
  expect_what_is_judged(setup_of_switches(given), given, judge(given));
}

}  // namespace weft::models::testing
