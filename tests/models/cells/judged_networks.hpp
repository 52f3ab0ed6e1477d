// Small switches for the tests of their judge.
#pragma once

#include <gtest/gtest.h>

#include "tests/models/cells/judge.hpp"
#include "tests/models/network/judged_wiring.hpp"

namespace weft::models::testing {

using reference::CellNetwork;
using reference::CellSwitches;

/// One switch, a node at each port.
inline CellNetwork crossbar_of(u32 ports, u32 buffer_cells) {
  CellNetwork net;
  net.switches = crossbar_wiring(ports);
  net.buffer_cells = buffer_cells;
  return net;
}

struct Chain : ChainWiring {
  [[nodiscard]] CellNetwork net() const { return {.switches = wiring()}; }
};

inline CellOutcome judged_run(const CellNetwork& net, const std::vector<CellPacket>& packets,
                              const CellRules& rules = {to_the_right}, Tick limit = 100'000) {
  const CellOutcome outcome = CellSwitches(net, packets, rules).run(limit);
  EXPECT_TRUE(outcome.complaints.empty()) << outcome.complaints.front();
  return outcome;
}

}  // namespace weft::models::testing
