// How the ranks of a run keep in step: the protocols by name, what each of them must know, and what it counts.
#pragma once

#include <vector>

#include "engine/base/types.hpp"

namespace weft::engine {

/// Protocols for several ranks; one rank alone needs none. Each is a class with
///   template <class Part> Tick run(Part& part, Tick until)
/// which executes all events before `until` on all ranks, leaves none on its way, and returns the earliest tick with
/// work anywhere, the same on every rank, `never` if there is none. Collective. `part` is what the kernel runs on this
/// rank:
///   next()             earliest tick with an event here
///   run_tick(tick)     executes one tick
///   run_before(tick, f)   executes all busy ticks before `tick` and calls f() after each; true if there were any
///   promise(tick)      notes that other ranks now rely on nothing coming for an earlier tick
///   earliest_crossing(), pack(neighbour, header, bytes), unpack(bytes)   what crosses, as in crossing.hpp
///   count()            the counters
enum class Protocol { windowed, null_message };

struct KernelCounters {
  u64 events = 0, activations = 0, ticks = 0;
  u64 windows = 0;          ///< stretches of ticks executed without a word to other ranks
  u64 exchanges = 0;        ///< agreements of all ranks on the time
  u64 remote_messages = 0;  ///< events sent to other ranks
  u64 null_messages = 0;    ///< messages to other ranks that carried no event, only a time
};

/// tick + span, or `never` if that is later.
[[nodiscard]] constexpr Tick later_by(Tick tick, Tick span) { return span < never - tick ? tick + span : never; }

}  // namespace weft::engine
