// What an OTF2 archive defines once for all its events: tasks, communicators, regions, the clock.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "workloads/trace/event.hpp"

namespace weft::workloads::otf2 {

/// Ticks of the clock of an archive.
struct Clock {
  u64 ticks_per_second = 1'000'000'000;
  u64 begin = 0;  ///< tick at which the trace begins
  /// Nanoseconds since then, rounded down; 0 for what is earlier; `beyond` what is more than 146 years.
  [[nodiscard]] u64 nanoseconds(u64 ticks) const;
  static constexpr u64 beyond = ~u64{0};
};

struct Region {
  u32 name = 0;              ///< number in Definitions::names
  bool is_call = false;      ///< of MPI
  bool synchronous = false;  ///< MPI_Ssend, MPI_Issend
};

/// A value of a metric that is a counter.
struct Counter {
  u32 name = 0;           ///< number in Definitions::names
  bool relative = false;  ///< values are what was added, not sums since the begin
};

/// A communicator of the archive.
struct Communicator {
  enum class Kind : u8 { plain, self, between };
  Kind kind = Kind::plain;
  /// In Definitions::communicators; of `self` that of task 0, and those of the other tasks follow.
  u32 number = 0;
  u32 sides = 0;  ///< of `between` (an inter-communicator): number in Definitions::sides
};

/// Nothing in it changes once it is read, so that any number of threads may use it.
struct Definitions {
  Clock clock;
  std::vector<u64> locations;        ///< [task], as the archive numbers them
  std::vector<u64> promised_events;  ///< [task], by the definition of its location
  std::vector<TraceCommunicator> communicators = {{}};
  std::vector<TraceName> names;
  std::unordered_map<u32, Region> regions;
  std::vector<Counter> counters;
  /// What each value of a metric is: a number in `counters`, or no_counter.
  std::unordered_map<u32, std::vector<u32>> metrics;
  static constexpr u32 no_counter = ~u32{0};
  std::unordered_map<u32, Communicator> known_communicators;
  struct Sides {
    std::vector<u32> a, b;
  };
  std::vector<Sides> sides;
  /// Sizes of collective calls are those of one piece, as the call has them (EZTrace), not totals (Score-P).
  bool sizes_of_pieces = false;
  u32 program_begin = 0, program_end = 0, flush = 0;  ///< names of what is no region

  [[nodiscard]] u32 tasks() const { return static_cast<u32>(locations.size()); }
  /// Members of a communicator other than an inter-communicator.
  [[nodiscard]] u32 size_of(const Communicator& communicator) const;
  [[nodiscard]] u32 number_for(const Communicator& communicator, u32 task) const {
    return communicator.number + (communicator.kind == Communicator::Kind::self ? task : 0);
  }
  /// The task that has `rank` in the communicator, as `task` sees it; TraceEvent::any if there is none.
  [[nodiscard]] u32 task_of(const Communicator& communicator, u32 rank, u32 task) const;
};

/// Reads the global definitions of an archive. Throws InputError.
[[nodiscard]] Definitions read_definitions(const std::string& anchor);

}  // namespace weft::workloads::otf2
