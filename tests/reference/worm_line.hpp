// One direction of a link in the plain simulator of wormholes: cells on the wire, what the far end has said about its
// buffer, and the packet that is being sent, cell by cell.
#pragma once

#include "tests/reference/cell_line.hpp"
#include "tests/reference/worm_network.hpp"

namespace weft::reference {

/// What the far end of a line says to its sender.
enum class Word : u8 { credit, stop, go };

/// A line belongs to its sender: a node, or an output of a switch.
struct WormLine {
  struct Flying {
    Cell cell;
    Tick at;
  };
  struct Saying {
    Word word;
    Tick at;
  };
  /// The packet that holds the line.
  struct Worm {
    u32 packet, cells;
    Place from = {};  ///< in the switch that sends
    u32 next = 0;     ///< cell
  };

  bool wired = false, to_node = false, stop_go = false;
  u32 id = 0, port = 0;  ///< where it ends
  Tick latency = 1, cell = 1;
  Tick crossing = 0;  ///< S; of nodes 0
  std::list<Flying> wire;
  std::list<Saying> said;  ///< on the way back to the sender
  i64 credits = 0;
  bool stopped = false;        ///< the sender's last word was STOP
  bool far_end_stops = false;  ///< the last word of the far end was
  std::optional<Worm> worm;
  Tick rest = 0;  ///< ticks until another cell may leave

  [[nodiscard]] bool idle() const { return !worm && rest == 0; }
  /// Whether flow control lets a cell go.
  [[nodiscard]] bool lets_go() const { return to_node || (stop_go ? !stopped : credits > 0); }

  void hear(Word word) {
    if (word == Word::credit) {
      ++credits;
    } else {
      stopped = word == Word::stop;
    }
  }
  void say(Word word, Tick now) { said.push_back({word, now + latency}); }

  /// The worm's next cell leaves.
  void carry(Tick now) {
    wire.push_back({{worm->packet, worm->next++}, now + crossing + latency});
    rest = cell;
    if (!to_node && !stop_go) --credits;
    if (worm->next == worm->cells) worm.reset();
  }
};

}  // namespace weft::reference
