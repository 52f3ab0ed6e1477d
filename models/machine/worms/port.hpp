// A port of a wormhole switch or of a node: the link out with the packet that goes through it, and the input. Cells and
// credits come and go in runs, one every C ticks; only where a run begins or is cut short does anything happen.
#pragma once

#include <algorithm>
#include <type_traits>

#include "engine/base/types.hpp"

namespace weft::models::worms {

/// The ticks that a cell takes on every link: what runs are counted with.
class CellTime {
 public:
  explicit CellTime(Tick ticks) : ticks_(ticks) {}
  [[nodiscard]] Tick operator()(u64 cells) const { return cells * ticks_; }
  /// How many of a run that began so long ago are through, the one of this tick left out.
  [[nodiscard]] u32 before(Tick since) const {
    return static_cast<u32>(ticks_ == 1 ? since : (since + ticks_ - 1) / ticks_);
  }
  /// How many of a run that began so long ago are through, the one of this tick included.
  [[nodiscard]] u32 by(Tick since) const { return static_cast<u32>(ticks_ == 1 ? since : since / ticks_) + 1; }

 private:
  Tick ticks_;
};

/// Plain bytes: a checkpoint copies it.
struct Port {
  static constexpr u16 none = 0xffff;

  // The link out, and the packet that holds it (`active`).
  Tick run = 0;          ///< running: when the first cell of the run left; else when the next may leave at the earliest
  Tick credit_run = 0;   ///< when the first of a run of credits came
  Tick wake = never;     ///< the earliest Wake that is scheduled
  u32 length = 0;        ///< cells of the packet
  u32 sent = 0;          ///< of them, before the run
  i32 credits = 0;       ///< without those of the run of credits, and with those that the run of cells has taken
  u32 credit_cells = 0;  ///< all credits of the run, those included that are to come
  u16 source = none;     ///< the input that the packet comes from
  u16 grant = 0;         ///< round robin: the input that is looked at first
  u16 wanted = 0;        ///< inputs that wait for the link
  u8 active = 0;
  u8 running = 0;
  u8 stopped : 1 = 0;        ///< the last word from the far end was STOP
  u8 tail_notified : 1 = 0;  ///< to a node: it has been notified of the last cell
  u8 held : 1 = 0;           ///< of a node: flow control has held it up since its NIC was notified of a packet
  u8 cut : 1 = 0;            ///< of an input: its last packet was cut in two, and the next switch is to be told

  // The input: a FIFO of packets of which the last may still be coming, and the first going.
  u8 come_running = 0;   ///< cells come one after the other; also after the last of a packet
  u16 target = none;     ///< output of the first packet, once it has one
  u32 stored_whole = 0;  ///< cells of the packets in the FIFO, but of the last
  Tick come_run = 0;     ///< when the first cell of the run of cells came
  u32 come = 0;          ///< cells of the last packet before that run
  u32 coming = 0;        ///< all cells of the last packet
  u32 packets = 0;       ///< in the FIFO
  u16 first_choice = 0;  ///< the output that is taken first of several that are equally good
  u8 reading = 0;        ///< the first packet holds its output
  u8 said_stop = 0;      ///< the last word to the far end was STOP

  /// Cells of the last packet that have come.
  [[nodiscard]] u32 come_by(Tick now, const CellTime& cell) const {
    return come_running == 0 ? come : std::min(coming, come + cell.by(now - come_run));
  }
  /// Cells of the packet on the link that have left.
  [[nodiscard]] u32 sent_by(Tick now, const CellTime& cell) const {
    return running == 0 ? sent : std::min(length, sent + cell.by(now - run));
  }
  /// Credits of the run that have come.
  [[nodiscard]] u32 credited_by(Tick now, const CellTime& cell) const {
    return credit_cells == 0 ? 0 : std::min(credit_cells, cell.by(now - credit_run));
  }
};
static_assert(sizeof(Port) == 80 && std::is_trivially_copyable_v<Port>);

}  // namespace weft::models::worms
