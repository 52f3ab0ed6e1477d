// Requests of one router in one cycle and the arbiters that pick a winner per output.
#pragma once

#include "engine/random.hpp"
#include "models/router/block.hpp"

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

/// The least occupied channels of a port in one cycle, each as occupancy * 256 + output; all ones if there is none.
struct PortSurvey {
  u64 least = ~u64{0};       ///< among those with room
  u64 least_open = ~u64{0};  ///< among those with room that nobody holds
  bool open_drains = false;  ///< one of the latter is being emptied
};

/// Cycles until a channel that is open now can be at least `lead` phits below the held one that a packet prefers, if it is
/// `gap` phits above it. The held one fills by at most a phit per cycle; an open one empties by a phit per cycle if it drains,
/// and a drain that begins is an event. At least 1.
[[nodiscard]] inline Tick cycles_to_overtake(Tick gap, Tick lead, bool open_drains) {
  const Tick cycles = open_drains ? (gap + lead + 1) / 2 : gap + lead;
  return cycles > 1 ? cycles : 1;
}

/// Who asked for what in the cycle at hand; one object serves all routers of a process, one after the other.
template <unsigned Words>
struct Requests {
  engine::BitSet<Words> outputs;                                  ///< outputs asked for
  engine::BitSet<Words> inputs[engine::BitSet<Words>::capacity];  ///< who asks, [output]; valid where `outputs` is set
  engine::BitSet<Words> ports_known;                              ///< ports whose survey is valid
  PortSurvey ports[engine::BitSet<Words>::capacity];              ///< what was seen of each port in this cycle
  engine::BitSet<Words> bubble_known, bubble;  ///< rings whose bubble was looked up; those that have one
  Tick recheck = never;                        ///< when somebody who could not be served may be, though no event tells

  void ask(u32 input, u32 output) {
    if (!outputs.test(output)) {
      outputs.set(output);
      inputs[output] = {};
    }
    inputs[output].set(input);
  }
  void check_again(Tick tick) {
    if (tick < recheck) recheck = tick;
  }
  /// Leaves an input out until `tick` or until something changes that it looks at; see the policies.
  template <class Head>
  void sleep(Head& head, u32 input, Tick tick) {
    const u32 until = static_cast<u32>(tick);
    if (!head.asleep.any() || static_cast<i32>(until - head.asleep_until) < 0) head.asleep_until = until;
    head.asleep.set(input);
    check_again(tick);
  }
  /// Lets an input sleep with those that do already; their wake-up is under way.
  template <class Head>
  static void sleep_too(Head& head, u32 input) {
    head.asleep.set(input);
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
    check_again(tick + static_cast<Tick>(left));
    return without(head.waiting, head.asleep);
  }
  void clear() {
    outputs = {};
    ports_known = {};
    bubble_known = {};
    recheck = never;
  }
};

/// Picks the winner among `candidates` (not empty) for `output`. Semantics of the five policies: see docs/routers.md.
template <unsigned Words, class BlockType>
[[nodiscard]] u32 arbitrate(const RouterSettings& s, const BlockType& block, const engine::BitSet<Words>& candidates,
                            u32 output, Tick tick, Draw& draw) {
  const u32 now = static_cast<u32>(tick);
  const u32 first = candidates.next(0);
  if (candidates.next(first + 1) == engine::BitSet<Words>::capacity) return first;
  const auto last = block.output(output).last_winner;
  const u32 start = last == no_port ? 0 : last + 1U;
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
    case Arbitration::longest: {
      const u32 begin = candidates.next_cyclic(start);
      u32 winner = begin, most = 0, i = begin;
      do {
        const u32 ticks = queue_ticks(block.input(i), now, s, false);
        if (ticks > most) {
          most = ticks;
          winner = i;
        }
        i = candidates.next_cyclic(i + 1);
      } while (i != begin);
      return winner;
    }
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
  }
  return first;
}

}  // namespace weft::models
