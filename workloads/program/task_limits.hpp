// What the numbers of an application may amount to in a simulation, checked where they are read.
#pragma once

#include <limits>
#include <string>

#include "engine/base/types.hpp"

namespace weft::workloads {

/// Latest tick that a task may compute until: whatever the network adds to it still fits into a Tick.
inline constexpr Tick last_tick = Tick{1} << 62;
/// Packets of a message are counted in 32 bits, of which the highest number is spoken for.
inline constexpr u64 most_message_packets = 0xFFFF'FFFE;

/// How tasks run.
struct TaskSpec {
  bool causal = true;       ///< false: at will, receives are not waited for
  double ticks_per_ns = 0;  ///< compute time of the program to ticks; 0 = compute is skipped
  u32 packet_bytes = 64;    ///< of a message that a packet carries: a multiple of phit_bytes
  u32 phit_bytes = 4;       ///< of a cell
  u32 header_phits = 0;     ///< cells of each packet besides
  u64 seed = 1;
  u64 local_latency_cycles = 1;  ///< a message to another task of the same node takes as long; at least 1
  u64 turnaround_cycles = 0;     ///< from the end of a receive to the next send or computation
  u64 send_gap_cycles = 0;       ///< least time from the start of a message to the start of the task's next
};

/// Largest amounts of single operations.
struct TaskLimits {
  u64 message_bytes = std::numeric_limits<u64>::max();
  u64 compute_ns = std::numeric_limits<u64>::max();
  u32 nics = 256;      ///< of a node: operations of graphs name those below
  TaskSpec spec = {};  ///< what they follow from, for messages
};
[[nodiscard]] TaskLimits task_limits(const TaskSpec& spec);

/// The limit that `bytes` of a message break, and what helps: "is 17179869184 packets of 64 bytes (at most ...); use
/// ...".
[[nodiscard]] std::string too_many_packets(u64 bytes, const TaskLimits& limits);
/// The limit that a computation of `ns` breaks, and what helps.
[[nodiscard]] std::string too_many_ticks(u64 ns, const TaskLimits& limits);

/// A computation that is not too long in itself ends too late: throws InputError that names program, task, operation
/// (from 1) and limit.
[[noreturn, gnu::cold]] void fail_beyond_time(const std::string& program, u32 task, u64 operation, u64 amount);
[[noreturn, gnu::cold]] void fail_too_late(const std::string& program, u32 task, u64 operation, u64 ns, Tick now);

}  // namespace weft::workloads
