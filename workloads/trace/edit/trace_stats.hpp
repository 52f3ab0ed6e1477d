// What a trace does, in numbers: sizes of messages, who sends to whom, collective calls, and what time is spent on.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <vector>

#include "workloads/program/program.hpp"
#include "workloads/trace/store/trace_store.hpp"

namespace weft::workloads {

/// Bins of sizes: number 0 is of 0 bytes, number n of 2^(n-1) up to 2^n - 1.
inline constexpr std::size_t size_bins = 65;
[[nodiscard]] constexpr std::size_t size_bin(u64 bytes) {
  std::size_t bin = 0;
  for (; bytes > 0; bytes >>= 1) ++bin;
  return bin;
}
[[nodiscard]] constexpr u64 least_of_bin(std::size_t bin) { return bin == 0 ? 0 : u64{1} << (bin - 1); }
[[nodiscard]] constexpr u64 most_of_bin(std::size_t bin) { return bin == 0 ? 0 : ~u64{0} >> (64 - bin); }

/// How many, and their bytes together (as far as the trace has them).
struct Traffic {
  u64 count = 0, bytes = 0;
  void add(u64 more_bytes) { ++count, bytes += more_bytes; }
  friend bool operator==(const Traffic&, const Traffic&) = default;
};

/// Messages from one task to another.
struct TrafficPair {
  u32 from = 0, to = 0;
  Traffic messages;
  friend bool operator==(const TrafficPair&, const TrafficPair&) = default;
};

/// What a task spends its time on, in nanoseconds.
struct TimeShares {
  enum Part : u8 {
    computing,    ///< between calls, or as compute events say
    sends,        ///< blocking sends, and starts of others
    receives,     ///< and probes
    waits,        ///< for requests
    collectives,  ///< and starts of non-blocking ones
    calls         ///< of calls that the trace has as messages or by name only; what they are made of is in the others
  };
  static constexpr std::size_t parts = 6;
  static constexpr std::array<const char*, parts> names = {"computing", "sends",       "receives",
                                                           "waits",     "collectives", "calls"};
  std::array<u64, parts> ns{};
};

struct TraceStats {
  u32 tasks = 0;
  bool has_times = false;
  Traffic messages;  ///< all of them
  u64 messages_of_unknown_size = 0;
  std::array<Traffic, size_bins> sizes{};
  std::vector<TrafficPair> pairs;               ///< those with messages, by sender, then by receiver
  std::vector<u32> partners_to, partners_from;  ///< [task]: to how many it sends, from how many it receives
  std::map<Collective, Traffic> collectives;    ///< calls of tasks
  std::map<Collective, u64> collective_ns;      ///< of all tasks together, if there are times
  std::map<std::pair<Collective, std::size_t>, Traffic> collective_sizes;  ///< by bin of their bytes too
  u64 calls_of_unknown_size = 0;
  std::vector<TimeShares> times;  ///< [task]; without times computing alone
};

/// Memory: pairs of tasks with messages.
[[nodiscard]] TraceStats stats_of(const std::shared_ptr<const TraceStore>& store);
/// What a program of graphs does: messages and computing.
[[nodiscard]] TraceStats stats_of(const Program& graphs);

/// The bytes of a collective call as `weft trace info` counts them: given, or else got; unknown_bytes if neither is
/// known.
[[nodiscard]] u64 bytes_of_call(const TraceEvent& event);

}  // namespace weft::workloads
