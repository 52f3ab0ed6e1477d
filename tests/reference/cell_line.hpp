// One direction of a link in the plain simulator: cells on the wire and in the buffer before it, credits on their way
// back, and the packet that is being handed to it, cell by cell.
#pragma once

#include <algorithm>
#include <deque>
#include <list>
#include <optional>
#include <vector>

#include "tests/reference/cell_network.hpp"

namespace weft::reference {

struct Cell {
  u32 packet = 0, number = 0;
  friend auto operator<=>(const Cell&, const Cell&) = default;
};

/// Who may still send how much into the buffer at the far end of a line. The channels either have a buffer each, or one
/// that they share but for what is reserved for each.
class Allowance {
 public:
  Allowance() = default;
  explicit Allowance(const CellNetwork& net)
      : shared_(net.shared), buffer_(net.buffer_cells), reserved_(net.reserved_cells), used_(net.link_channels(), 0) {}

  /// Cells of packets that have begun to be sent by a channel whose credits are not back.
  [[nodiscard]] i64 used(u32 channel) const { return used_[channel]; }
  void use(u32 channel, i64 cells) { used_[channel] += cells; }

  /// Cells that may be sent by a channel.
  [[nodiscard]] i64 space(u32 channel) const {
    if (!shared_) return buffer_ - used_[channel];
    return std::max(i64{0}, reserved_ - used_[channel]) + common_space();
  }
  /// What is left for all, negative if too much is used.
  [[nodiscard]] i64 common_space() const {
    i64 space = buffer_ - reserved_ * static_cast<i64>(used_.size());
    for (const i64 used : used_) space -= std::max(i64{0}, used - reserved_);
    return space;
  }

 private:
  bool shared_ = false;
  i64 buffer_ = 0, reserved_ = 0;
  std::vector<i64> used_;  ///< [channel]
};

/// A line belongs to its sender: a node, or an output of a switch. What a switch is late with (S) it is with all cells
/// alike, so the buffer of an output is here as if the cells came into it at once and were S longer on the wire.
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
  struct Buffered {
    Cell cell;
    u32 channel;
  };
  /// The switch has so many cells waiting for one of its outputs.
  struct OccupancyUpdate {
    u32 output, cells;
    Tick at;
  };
  /// The packet that crosses the switch, or leaves the node.
  struct Sending {
    u32 packet, cells;
    u32 channel;     ///< of this line
    Place from;      ///< in the switch that sends
    u32 next = 0;    ///< cell
    Tick until = 0;  ///< ticks until that one is in the buffer of the output
  };

  bool wired = false, to_node = false;
  u32 id = 0, port = 0;  ///< where it ends
  Tick latency = 1;
  Tick cell = 1;          ///< C
  Tick handing_over = 1;  ///< X, at most C: ticks a cell takes to come out of the crossbar
  Tick crossing = 0;      ///< S; of nodes 0
  std::list<Flying> wire;
  std::list<Credit> returning;
  std::list<OccupancyUpdate> updates;
  std::deque<Buffered> output;  ///< cells that wait for the link
  Allowance allowance;
  std::optional<Sending> sending;
  Tick busy = 0;       ///< ticks until another packet may be handed to it
  Tick link_busy = 0;  ///< ticks until the link may begin with another cell

  [[nodiscard]] bool idle() const { return busy == 0; }
  void pass_tick() {
    busy -= busy > 0 ? 1 : 0;
    link_busy -= link_busy > 0 ? 1 : 0;
  }
  /// Ticks until the link is through with all that was handed to it; of lines that are idle.
  [[nodiscard]] Tick backlog() const { return link_busy + output.size() * cell; }

  void begin(const Sending& what) {
    sending = what;
    busy = what.cells * handing_over;
  }
  /// The cell that comes out of the crossbar in this tick, if any does.
  [[nodiscard]] std::optional<Cell> take_cell() {
    if (!sending) return {};
    if (sending->until > 0) {
      --sending->until;
      return {};
    }
    sending->until = handing_over - 1;
    const Cell cell_now{sending->packet, sending->next++};
    output.push_back({cell_now, sending->channel});
    return cell_now;
  }
  void end_if_handed_over() {
    if (sending && sending->next == sending->cells) sending.reset();
  }
  /// The link begins with a cell if it can.
  void put_on_wire(Tick now) {
    if (link_busy > 0 || output.empty()) return;
    wire.push_back({output.front().cell, output.front().channel, now + crossing + latency});
    output.pop_front();
    link_busy = cell;
  }

  /// Cells that have credits taken and are not on the wire yet.
  [[nodiscard]] i64 owed(u32 channel) const {
    i64 cells = std::ranges::count(output, channel, &Buffered::channel);
    if (sending && sending->channel == channel) cells += i64{sending->cells} - i64{sending->next};
    return cells;
  }
};

/// Removes what arrives in this tick from a list of things on their way, in order, and hands it on.
template <class Thing, class F>
void arrive(std::list<Thing>& in_flight, Tick now, F&& f) {
  for (auto it = in_flight.begin(); it != in_flight.end();) {
    if (it->at != now) {
      ++it;
      continue;
    }
    const Thing thing = *it;
    it = in_flight.erase(it);
    f(thing);
  }
}

}  // namespace weft::reference
