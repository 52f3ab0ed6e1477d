// All outputs of a router looked at in one go: the keys by which packets choose the least occupied one, as vectors.
#pragma once

#include <bit>
#include <cstring>

#include "models/machine/packets/block.hpp"
#include "models/machine/packets/vectors.hpp"

namespace weft::models {

/// Least keys of some outputs; a key is occupancy in ticks of link time * 64 + output, or all ones if there is none.
/// Element `best`: among those with free space; `best_open`: among those with free space that nobody holds; `floor`:
/// among the latter, the occupancy that will be left when the drains in progress are over.
using LeastKeys = u32 __attribute__((vector_size(16)));
inline constexpr u32 key_best = 0, key_best_open = 1, key_floor = 2;
inline constexpr u32 key_bits = 6, key_outputs = 1U << key_bits;
inline constexpr LeastKeys no_keys = {~0U, ~0U, ~0U, ~0U};

[[nodiscard]] inline LeastKeys least(LeastKeys a, LeastKeys b) { return a < b ? a : b; }

/// Whether keys of queues of so many packets fit into 32 bits.
[[nodiscard]] inline bool keys_fit(const RouterSettings& s) {
  return (s.queue_packets + 2) * s.packet_ticks < (~0U >> 1) / key_outputs;
}

/// Where the adaptive channels (1 and up) of the ports lie: cell = (channel - 1) * width + port. The ports of one
/// channel follow each other in a block's slots, and here in whole vectors.
struct SurveyCells {
  static constexpr u32 most = 128;
  u32 ports, channels, width;      ///< width: see width_of
  u64 outputs = 0;                 ///< all of them, as a mask
  alignas(64) u32 output[most]{};  ///< of a cell
  alignas(64) u32 low[most]{};     ///< its bit in the lower half of a mask of outputs; 0: it is in the upper one
  alignas(64) u32 high[most]{};    ///< and in the upper half. No bit in either: there is no such port
  u8 cell[key_outputs]{};          ///< of an output

  /// Ports rounded up to whole vectors.
  [[nodiscard]] static constexpr u32 width_of(u32 ports_there) { return (ports_there + 7) / 8 * 8; }

  /// Outputs are port * channels + channel.
  SurveyCells(u32 ports_there, u32 channels_there)
      : ports(ports_there), channels(channels_there), width(width_of(ports_there)) {
    for (u32 c = 1; c < channels; ++c) {
      for (u32 p = 0; p < ports; ++p) {
        const u32 o = p * channels + c, at = (c - 1) * width + p;
        output[at] = o;
        (o < 32 ? low : high)[at] = u32{1} << (o % 32);
        cell[o] = static_cast<u8>(at);
        outputs |= u64{1} << o;
      }
    }
  }
};

/// What the adaptive channels of a router look like in one cycle.
struct Survey {
  static constexpr u32 most_ports = 32, nowhere = most_ports - 1;  ///< `nowhere`: no port, the row without keys
  alignas(64) LeastKeys rows[most_ports];                          ///< [port]: over its channels
  alignas(64) u32 open[SurveyCells::most];                         ///< [cell]: key, if it has free space and nobody
                                                                   ///< holds it
  alignas(64) u32 floor[SurveyCells::most];                        ///< [cell]: the same once its drain is over
  alignas(64) u32 drift[SurveyCells::most];  ///< [cell]: ticks of drain left * 2 + (1 if it fills up)

  /// Least keys over the ports of these directions (bit mask); the loop has `dimensions` turns whatever they are.
  [[nodiscard]] LeastKeys keys(u32 directions, u32 dimensions) const {
    LeastKeys keys = no_keys;
    for (u32 d = 0; d < dimensions; ++d, directions &= directions - 1) {
      keys = least(keys, rows[std::countr_zero(directions | u32{1} << nowhere)]);
    }
    return keys;
  }
  /// Somebody holds output `o` from now on; `fills`: and its link may take the packet at once.
  void close(const SurveyCells& cells, u32 o, bool fills) {
    const u32 at = cells.cell[o], port = at % cells.width;
    open[at] = floor[at] = ~0U;
    drift[at] |= fills ? 1U : 0U;
    u32 best_open = ~0U, best_floor = ~0U;
    for (u32 c = 1, k = port; c < cells.channels; ++c, k += cells.width) {
      best_open = open[k] < best_open ? open[k] : best_open;
      best_floor = floor[k] < best_floor ? floor[k] : best_floor;
    }
    rows[port][key_best_open] = best_open;
    rows[port][key_floor] = best_floor;
  }
};

/// Looks at all adaptive channels of a block. `space`, `open`: outputs with free space, and those with free space that
/// nobody holds; `starting`: ports whose link is about to take a packet. `Ports`, `Channels`: ports and virtual
/// channels, 0 = as `cells` says.
template <u32 Ports, u32 Channels, class BlockType>
inline void survey_outputs(const BlockType& block, const SurveyCells& cells, u64 space, u64 open, u32 starting, u32 now,
                           u32 packet_ticks, Survey& survey) {
  const u32 channels = Channels != 0 ? Channels : cells.channels, ports = Ports != 0 ? Ports : cells.ports;
  const u32 width = SurveyCells::width_of(ports);
  constexpr bool narrow = Ports != 0 && Ports * Channels <= 32;  // masks of outputs have no upper half
  const u32 space_low = static_cast<u32>(space), space_high = static_cast<u32>(space >> 32);
  const u32 open_low = static_cast<u32>(open), open_high = static_cast<u32>(open >> 32);
  for (u32 first = 0; first < width; first += 8) {
    const Eight all = Eight{} - 1U;
    const Eight starts = (starting >> first >> ascending) & 1U;
    Eight best = all, best_open = all, best_floor = all;
    for (u32 c = 1; c < channels; ++c) {
      // Vectors may read beyond the ports of a channel, into what follows in the block.
      const u32 slot = c * ports + first, at = (c - 1) * width + first;
      const EightOccupancies there = eight_occupancies(block, slot, now, packet_ticks);
      const Eight key = there.ticks * key_outputs + load_eight(&cells.output[at]);
      const Eight low = load_eight(&cells.low[at]), high = narrow ? Eight{} : load_eight(&cells.high[at]);
      const Eight no_space = ((low & space_low) | (high & space_high)) == 0U,
                  closed = ((low & open_low) | (high & open_high)) == 0U;
      const Eight open_key = key | closed, floor_key = (key - there.leaving * key_outputs) | closed;
      const Eight drift = there.leaving * 2U + (there.sends | starts);
      store_eight(&survey.open[at], open_key);
      store_eight(&survey.floor[at], floor_key);
      store_eight(&survey.drift[at], drift);
      best = lesser(best, key | no_space);
      best_open = lesser(best_open, open_key);
      best_floor = lesser(best_floor, floor_key);
    }
    // Transposed: the keys of each port side by side.
    const Eight low = __builtin_shufflevector(best, best_open, 0, 8, 1, 9, 4, 12, 5, 13);
    const Eight high = __builtin_shufflevector(best, best_open, 2, 10, 3, 11, 6, 14, 7, 15);
    const Eight low_floor = __builtin_shufflevector(best_floor, best_floor, 0, 0, 1, 1, 4, 4, 5, 5);
    const Eight high_floor = __builtin_shufflevector(best_floor, best_floor, 2, 2, 3, 3, 6, 6, 7, 7);
    const Eight rows[4] = {__builtin_shufflevector(low, low_floor, 0, 1, 8, 9, 4, 5, 12, 13),
                           __builtin_shufflevector(low, low_floor, 2, 3, 10, 11, 6, 7, 14, 15),
                           __builtin_shufflevector(high, high_floor, 0, 1, 8, 9, 4, 5, 12, 13),
                           __builtin_shufflevector(high, high_floor, 2, 3, 10, 11, 6, 7, 14, 15)};
    for (u32 k = 0; k < 4; ++k) {
      survey.rows[first + k] = __builtin_shufflevector(rows[k], rows[k], 0, 1, 2, 3);
      survey.rows[first + 4 + k] = __builtin_shufflevector(rows[k], rows[k], 4, 5, 6, 7);
    }
  }
}

/// Packets that would rather have a held output than an open one.
class Insisting {
 public:
  /// Adds a packet if `yes` (0 or 1), without a branch. `held_drift`: see Survey::drift, of the held output.
  void add_if(u32 yes, LeastKeys keys, u32 held_drift) {
    keys[key_drift] = held_drift;
    packets_[count_] = keys;
    count_ += yes;
  }
  void clear() { count_ = 0; }
  /// Ticks until an open output can be as good as the held one for one of them, or `never` if only events can bring
  /// that about: the held one is freed, an open one begins to drain. See ticks_to_overtake.
  [[nodiscard]] Tick until_overtaken() const {
    constexpr LeastKeys all = no_keys;
    LeastKeys soonest = all;
    for (u32 at = 0; at < count_; at += 4) {
      // Transposed: four packets side by side.
      const LeastKeys* const p = packets_ + at;
      const LeastKeys best01 = __builtin_shufflevector(p[0], p[1], 0, 4, 1, 5),
                      rest01 = __builtin_shufflevector(p[0], p[1], 2, 6, 3, 7);
      const LeastKeys best23 = __builtin_shufflevector(p[2], p[3], 0, 4, 1, 5),
                      rest23 = __builtin_shufflevector(p[2], p[3], 2, 6, 3, 7);
      const LeastKeys from = __builtin_shufflevector(best01, best23, 0, 1, 4, 5),
                      open = __builtin_shufflevector(best01, best23, 2, 3, 6, 7);
      const LeastKeys bottom = __builtin_shufflevector(rest01, rest23, 0, 1, 4, 5),
                      drift = __builtin_shufflevector(rest01, rest23, 2, 3, 6, 7);
      const LeastKeys ticks =
          ticks_to_overtake(ticks_between(open, from), ticks_between(bottom, from), drift, drift >> 1U);
      soonest = least(soonest, LeastKeys{0, 1, 2, 3} + at < count_ ? ticks : all);
    }
    soonest = least(soonest, __builtin_shufflevector(soonest, soonest, 2, 3, 0, 1));
    const u32 ticks = soonest[0] < soonest[1] ? soonest[0] : soonest[1];
    return ticks == ~0U ? never : Tick{ticks};
  }

 private:
  static constexpr u32 key_drift = 3;
  /// Signed ticks that keys `a` are above keys `b`. The lower index wins a tie, so differences of keys are rounded up.
  [[nodiscard]] static LeastKeys ticks_between(LeastKeys a, LeastKeys b) {
    using Signed = i32 __attribute__((vector_size(16)));
    return reinterpret_cast<LeastKeys>(reinterpret_cast<Signed>(a - b + (key_outputs - 1)) >> key_bits);
  }

  u32 count_ = 0;
  /// [packet]: its least keys; in place of the fourth the drift of the held output.
  alignas(64) LeastKeys packets_[key_outputs + 4]{};
};

}  // namespace weft::models
