// What any trace says of a task, call by call: the model that all formats are read into and written from
// (docs/traces.md has what each of them carries).
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/types.hpp"
#include "workloads/trace/collectives.hpp"

namespace weft::workloads {

/// One thing that a task did.
struct TraceEvent {
  enum class Kind : u8 {
    compute,     ///< for `bytes` nanoseconds; formats with times need none: what is between calls was computed
    send,        ///< blocking: whether it waited for the receiver is not known
    isend,       ///< starts `request`
    receive,     ///< blocking; peer, tag and bytes are those of the message, where the format has them
    ireceive,    ///< starts `request`; peer and tag may be `any`
    wait,        ///< for `request` (or a successful test); of a receive, peer, tag and bytes of what came, if known
    probe,       ///< until a message is there (or a successful test); peer and tag may be `any`
    collective,  ///< `operation` on `communicator`; non-blocking if it has a request
    enter,       ///< call or region `name` begins: what follows until its `leave` is inside
    leave,
    mark,  ///< a moment called `name`
    count  ///< by so many `bytes` the counter `name` went up in computing, between the call before and the next
  };
  static constexpr u32 any = ~u32{0};  ///< peer, tag
  static constexpr u32 no_root = ~u32{0};
  static constexpr u64 no_request = ~u64{0};
  static constexpr u64 unknown_bytes = ~u64{0};  ///< the format does not say

  Kind kind = Kind::compute;
  Collective operation = Collective::barrier;
  bool synchronous = false;  ///< sends: MPI_Ssend, MPI_Issend
  /// It is of the same call as the event before: the second half of MPI_Sendrecv, the next request of MPI_Waitall.
  bool continues = false;
  u32 peer = 0;          ///< task, of the whole trace (not a rank of the communicator), or any
  u32 tag = 0;           ///< or any
  u32 communicator = 0;  ///< number in TraceSource::communicators; 0: all tasks
  u32 root = no_root;    ///< collective: task of the whole trace
  u32 name = 0;          ///< enter, leave, mark, count: number in TraceSource::names
  /// Messages: bytes. Collectives: bytes of what this task gives, to each other where they differ by receiver
  /// (all-to-all, scatter at the root), of the block of each task for reduce-scatter-block. Compute: nanoseconds.
  u64 bytes = 0;
  u64 bytes_received = 0;        ///< collectives: of what it gets from each, where that differs
  u64 request = no_request;      ///< of the task; may be used again once it is over
  u64 begin_ns = 0, end_ns = 0;  ///< since the begin of the trace, if it has times; not decreasing within a task
  /// v and w collectives: bytes for each member of the communicator, in order of rank: sent, and received; empty where
  /// the format has totals only (then `bytes` and `bytes_received` are these totals) or they are of others.
  std::vector<u64> sent, received;

  friend bool operator==(const TraceEvent&, const TraceEvent&) = default;
};

/// Members in order of rank, as tasks of the whole trace. Empty for number 0, which is all tasks.
struct TraceCommunicator {
  std::vector<u32> members;
  bool is_internal = false;  ///< of messages that calls are made of, beside one of the program; not the program's own
  friend bool operator==(const TraceCommunicator&, const TraceCommunicator&) = default;
};

/// What enter, leave, mark and count are called.
struct TraceName {
  std::string text;
  /// A collective that the trace has as messages (or another call of MPI): what is inside is no computation.
  bool is_call = false;
  bool is_counter = false;  ///< of count
  friend bool operator==(const TraceName&, const TraceName&) = default;
};

/// An event and the task that it is of.
struct TraceRecord {
  u32 task = 0;
  TraceEvent event;
};

}  // namespace weft::workloads
