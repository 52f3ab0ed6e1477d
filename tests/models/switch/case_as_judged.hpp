// Runs a random case with the model of switches of cells, to compare it with what the judge says.
#pragma once

#include "tests/models/network/case_and_judge.hpp"
#include "tests/models/switch/judge.hpp"

namespace weft::models::testing {

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
  if (given.by_flow) own.set("route_per", std::string("flow"));
  if (given.notice_cells != 0) own.set("notice_cells", i64{given.notice_cells});
  if (given.classes() > 1) own.set("class_modes", fmt::format("{}", fmt::join(given.modes, ", ")));
  return setup;
}

inline void expect_switches_as_judged(const SwitchCase& drawn) {
  const SwitchCase given = for_scripted_host(drawn);
  SCOPED_TRACE(given.describe());
  expect_what_is_judged(setup_of_switches(given), given, judge(given));
}

}  // namespace weft::models::testing
