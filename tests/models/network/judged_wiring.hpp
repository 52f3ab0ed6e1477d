// Wirings of small networks for the tests of the judges, whose packets' times are computed by hand.
#pragma once

#include "tests/reference/cell_network.hpp"

namespace weft::models::testing {

using reference::CellOutcome;
using reference::CellPacket;
using reference::CellPort;
using reference::CellRules;
using reference::CellWiring;
using reference::Place;
using reference::Schedule;
using reference::Ways;

/// One switch, a node at each port.
inline CellWiring crossbar_wiring(u32 ports, Tick latency = 1, Tick cell = 1) {
  CellWiring wiring(1);
  for (u32 p = 0; p < ports; ++p) wiring[0].push_back({CellPort::Far::node, p, 0, latency, cell});
  return wiring;
}

/// Switches in a row, each with a node; ports: to the left, to the right, the node's.
struct ChainWiring {
  u32 switches = 2;
  Tick latency = 1, cell = 1, node_latency = 1, node_cell = 1;

  [[nodiscard]] CellWiring wiring() const {
    CellWiring made;
    for (u32 s = 0; s < switches; ++s) {
      const auto left = s > 0 ? CellPort::Far::port : CellPort::Far::nothing;
      const auto right = s + 1 < switches ? CellPort::Far::port : CellPort::Far::nothing;
      made.push_back({{left, s - 1, 1, latency, cell},
                      {right, s + 1, 0, latency, cell},
                      {CellPort::Far::node, s, 0, node_latency, node_cell}});
    }
    return made;
  }
};
inline Ways to_the_right(Place /*place*/, u32 /*packet*/) { return {{{1, 0}}}; }

}  // namespace weft::models::testing
