// Requests of one router in one cycle and the arbiters that pick a winner per output.
#pragma once

#include "engine/random.hpp"
#include "models/machine/packets/block.hpp"

namespace weft::models {

/// The 64 random bits of one router and tick, drawn when first needed.
struct Draw {
  u64 seed;
  Tick tick;
  u32 entity;
  bool drawn = false;
  u64 value = 0;

  [[nodiscard]] u64 bits() {
    if (!drawn) {
      value = engine::random_bits(seed, entity, tick, engine::Use::arbitration);
      drawn = true;
    }
    return value;
  }
};

/// Tick of the cycle that begins `ticks` after `tick` or just before, but not the same; `never` stays so.
[[nodiscard]] inline Tick whole_cycles(Tick tick, Tick ticks, Tick cycle_ticks) {
  if (ticks == never) return never;
  if (cycle_ticks == 1) return tick + (ticks > 1 ? ticks : 1);
  const Tick cycles = ticks / cycle_ticks;
  return tick + cycle_ticks * (cycles > 1 ? cycles : 1);
}

/// Who asked for what in the cycle at hand; one object serves all routers of a process, one after the other.
template <unsigned Words>
struct Requests {
  static constexpr u32 long_time = 1U << 30;  ///< ticks; a sleep of more than half of that has no end of its own

  engine::BitSet<Words> outputs;                                  ///< outputs asked for
  engine::BitSet<Words> inputs[engine::BitSet<Words>::capacity];  ///< who asks, [output]; valid where `outputs` is set
  u32 ticks[engine::BitSet<Words>::capacity + 8];  ///< for the policy: occupancy of each output's far queue
  engine::BitSet<Words> bubble_known, bubble;      ///< rings whose bubble was looked up; those that have one
  engine::BitSet<Words>
      again;             ///< inputs to look at in the next cycle, if they may move then for all that is known now
  Tick recheck = never;  ///< when somebody who could not be served may be, though no event tells

  void ask(u32 input, u32 output) {
    if (!outputs.test(output)) {
      outputs.set(output);
      inputs[output] = {};
    }
    inputs[output].set(input);
  }
  /// `yes` is 0 or 1; without a branch if there is one word.
  void ask_if(u64 yes, u32 input, u32 output) {
    if constexpr (Words == 1) {
      const u64 others = inputs[output].word[0] & (0 - ((outputs.word[0] >> output) & 1));
      inputs[output].word[0] = others | yes << input;
      outputs.word[0] |= yes << output;
    } else if (yes != 0) {
      ask(input, output);
    }
  }
  /// Nobody has asked for this output before.
  void ask_all(const engine::BitSet<Words>& all, u32 output) {
    outputs.set(output);
    inputs[output] = all;
  }
  void check_again(Tick tick) {
    if (tick < recheck) recheck = tick;
  }
  /// Leaves inputs out until `tick`, or (never) until something changes that they look at; see the policies.
  template <class Head>
  void sleep(Head& head, const engine::BitSet<Words>& set, Tick tick, Tick until) {
    if (until != never) {
      const bool first = !head.asleep.any() | (static_cast<i32>(static_cast<u32>(until) - head.asleep_until) < 0);
      head.asleep_until = first ? static_cast<u32>(until) : head.asleep_until;
      check_again(until);
    } else if (!head.asleep.any()) {
      head.asleep_until = static_cast<u32>(tick) + long_time;
    }
    head.asleep |= set;
  }
  /// Inputs that must be looked at in this cycle: those that wait and are not asleep.
  template <class Head>
  [[nodiscard]] engine::BitSet<Words> awake(Head& head, Tick tick) {
    if (!head.asleep.any()) return head.waiting;
    const i32 left = static_cast<i32>(head.asleep_until - static_cast<u32>(tick));
    if (left <= 0) {
      head.asleep = {};
      return head.waiting;
    }
    if (left < static_cast<i32>(long_time / 2)) check_again(tick + static_cast<Tick>(left));
    return without(head.waiting, head.asleep);
  }
  void clear() {
    outputs = {};
    bubble_known = {};
    again = {};
    recheck = never;
  }
};

/// The candidate with most of something; of several the first at or after `start`, cyclically.
template <unsigned Words, class Measure>
[[nodiscard]] u32 with_most(const engine::BitSet<Words>& candidates, u32 start, Measure&& measure) {
  const u32 begin = candidates.next_cyclic(start);
  u32 winner = begin, most = 0, i = begin;
  do {
    const u32 value = measure(i);
    if (value > most) winner = i, most = value;
    i = candidates.next_cyclic(i + 1);
  } while (i != begin);
  return winner;
}

/// Picks the winner among `candidates` (not empty) for `output`. Semantics of the policies: see docs/routers.md.
template <unsigned Words, class BlockType>
[[nodiscard]] u32 arbitrate(const RouterSettings& s, const BlockType& block, const engine::BitSet<Words>& candidates,
                            u32 output, Tick tick, Draw& draw) {
  const u32 now = static_cast<u32>(tick);
  const u32 first = candidates.next(0);
  if (candidates.single()) return first;
  const auto last = block.last_winner(output);
  const u32 start = last == no_port<Words> ? 0 : last + 1U;
  switch (s.arbitration) {
    case Arbitration::round_robin:
      return candidates.next_cyclic(start);
    case Arbitration::random:
      return candidates.nth(engine::scale_to(engine::remix(draw.bits(), output), candidates.count()));
    case Arbitration::fifo: {
      u32 winner = first, longest = 0;
      candidates.for_each([&](u32 i) {
        const u32 waited = now - block.input(i).stamp;
        if (i == first || waited > longest) {
          winner = i;
          longest = waited;
        }
      });
      return winner;
    }
    case Arbitration::longest:
      return with_most(candidates, start, [&](u32 i) { return queue_ticks(block.input(i), now, s, false); });
    case Arbitration::age: {
      u32 winner = first;
      Tick oldest = 0;
      candidates.for_each([&](u32 i) {
        const Tick value = block.packet(i, block.input(i).head).age(tick);
        if (i == first || value > oldest) {
          winner = i;
          oldest = value;
        }
      });
      return winner;
    }
    case Arbitration::age_in_network:
      if constexpr (requires { block.packet(first, 0).state.left_source; }) {
        return with_most(candidates, first, [&](u32 i) {  // packets of injection queues are not in the network yet: 0
          const u32 left = block.packet(i, block.input(i).head).state.left_source;
          return i < block.shape->channels ? now - left : 0;
        });
      }
      break;                    // plain routers alone are asked for it, see is_plain
    case Arbitration::highest:  // 0: injection queues
      return with_most(candidates, start,
                       [&](u32 i) { return i < block.shape->channels ? i % s.virtual_channels + 1 : 0; });
  }
  return first;
}

}  // namespace weft::models
