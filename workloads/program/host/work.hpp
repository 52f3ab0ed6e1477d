// What waits for, or holds, the resources of a task: its compute streams and the sides of its NICs.
#pragma once

#include "engine/base/types.hpp"
#include "workloads/program/host/fifo.hpp"

namespace weft::workloads {

/// What an operation that is ready needs to begin.
enum class WorkKind : u8 {
  free,     ///< nothing: receives, probes, joins
  compute,  ///< its stream
  send,     ///< its stream, and the sending side of a NIC
  handle,   ///< of a receive that has its message: its stream, and the receiving side of a NIC
  nothing   ///< a computation of no time, where tasks turn around, for which it does not wait: its stream
};

/// An operation that is ready. Plain data: it lies in checkpoints.
struct Work {
  u64 ticket = 0;  ///< the order in which those of a task became ready
  u64 bytes = 0;   ///< handle: of the message
  u32 operation = 0;
  u32 source = 0, number = 0;  ///< handle: of the message
  WorkKind kind = WorkKind::free;
  u8 stream = 0;
  u8 nic = 0;          ///< or all_nics, no_nic
  bool tells = false;  ///< handle: the sender is told when it is over

  static constexpr u8 no_nic = 255;    ///< of messages through memory
  static constexpr u8 all_nics = 254;  ///< of messages in stripes
};
static_assert(sizeof(Work) == 32);

/// Work that needs the same resources, in the order of its tickets.
struct WorkQueue {
  WorkKind kind = WorkKind::free;
  u8 stream = 0, nic = 0;
  Fifo<Work> waiting;
  [[nodiscard]] bool serves(const Work& work) const {
    return kind == work.kind && (kind == WorkKind::free || (stream == work.stream && nic == work.nic));
  }
};

/// A compute stream.
struct ComputeStream {
  Tick until = 0;  ///< if busy
  bool busy = false;
  Work work;  ///< what holds it
};

}  // namespace weft::workloads
