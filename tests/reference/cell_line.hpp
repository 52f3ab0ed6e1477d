// One direction of a link in the plain simulator: cells on the wire, credits on their way back, and the packet that is
// being sent, cell by cell.
#pragma once

#include <list>
#include <optional>
#include <vector>

#include "tests/reference/cell_network.hpp"

namespace weft::reference {

struct Cell {
  u32 packet = 0, number = 0;
  friend auto operator<=>(const Cell&, const Cell&) = default;
};

/// A line belongs to its sender: a node, or an output of a switch.
struct Line {
  struct Flying {
    Cell cell;
    u32 channel;
    Tick at;
  };
  struct Credit {
    u32 channel;
    Tick at;
  };
  struct Sending {
    u32 packet, cells;
    u32 channel;     ///< of this line
    Place from;      ///< in the switch that sends
    u32 next = 0;    ///< cell
    Tick until = 0;  ///< ticks until that one leaves
  };

  bool wired = false, to_node = false;
  u32 id = 0, port = 0;  ///< where it ends
  Tick latency = 1, cell = 1;
  Tick crossing = 0;  ///< S; of nodes 0
  std::list<Flying> wire;
  std::list<Credit> returning;
  std::vector<i64> credits;    ///< [channel], free to be taken
  std::vector<i64> set_aside;  ///< [channel], for packets that have chosen and not left
  std::optional<Sending> sending;
  Tick busy = 0;  ///< ticks until it is idle

  [[nodiscard]] bool idle() const { return busy == 0; }

  void begin(const Sending& what) {
    sending = what;
    busy = what.cells * cell;
  }
  /// The cell that leaves in this tick, if any does.
  [[nodiscard]] std::optional<Cell> take_cell() {
    if (!sending) return {};
    if (sending->until > 0) {
      --sending->until;
      return {};
    }
    sending->until = cell - 1;
    return Cell{sending->packet, sending->next++};
  }
  void put_on_wire(Cell what, Tick now) { wire.push_back({what, sending->channel, now + crossing + latency}); }
  void end_if_sent() {
    if (sending && sending->next == sending->cells) sending.reset();
  }

  /// Cells that have credits taken and have not left yet.
  [[nodiscard]] i64 owed(u32 channel) const {
    return sending && sending->channel == channel ? i64{sending->cells} - i64{sending->next} : 0;
  }
};

/// Removes what arrives in this tick from a list of things on their way, in order, and hands it on.
template <class Thing, class F>
void arrive(std::list<Thing>& under_way, Tick now, F&& f) {
  for (auto it = under_way.begin(); it != under_way.end();) {
    if (it->at != now) {
      ++it;
      continue;
    }
    const Thing thing = *it;
    it = under_way.erase(it);
    f(thing);
  }
}

}  // namespace weft::reference
