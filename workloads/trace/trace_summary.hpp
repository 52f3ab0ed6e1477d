// What is in a trace (counts), and whether it can be replayed at all (dry run of its blocking receives without a
// network).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/base/types.hpp"
#include "workloads/program/program.hpp"
#include "workloads/trace/trace_program.hpp"

namespace weft::workloads {

/// Least, mean and greatest of a set of integers; all zero for an empty set.
struct Spread {
  u64 min = 0;
  double mean = 0;
  u64 max = 0;
};

/// Calls of a collective operation, and the bytes of their data (those of which the trace has the size): what each task
/// gives, or gets where it gives nothing.
struct CollectiveCount {
  u64 calls = 0;
  u64 bytes = 0;
};

/// Counts over a whole trace; sums stop at 2^64 - 1.
struct TraceSummary {
  std::string format;
  bool graphs = false;  ///< it is a program of graphs
  u32 tasks = 0;        ///< 1 + the largest rank, or what the file says
  u64 records = 0;      ///< without the dropped ones
  u64 messages = 0;     ///< sends
  u64 receives = 0;
  u64 bytes = 0;         ///< sent, all messages together
  Spread message_bytes;  ///< over the messages
  u64 computes = 0;      ///< compute records
  Spread compute_ns;     ///< per task, over all tasks
  Spread partners;       ///< per task: different tasks that it sends to or receives from (any: none)
  u64 waits = 0;         ///< for requests
  std::map<std::string, CollectiveCount> collectives;  ///< by operation; by task, so that a call of n tasks is n
  u64 marks = 0;                                       ///< begins and ends of calls and regions, and moments
  u64 counts = 0;                                      ///< of counters
  std::vector<std::string> counters;
  u64 communicators = 1;  ///< of the program, the one of all tasks among them
  double duration_s = 0;  ///< of traces with times
  u64 probes = 0;         ///< as joins and requirements of graphs
  u64 joins = 0;
  u64 times = 0;         ///< waits for times of the outside world
  u64 requirements = 0;  ///< of all operations; the same twice is once
  u64 self_sends = 0;    ///< dropped: from a task to itself
  u64 self_receives = 0;
  u32 idle_tasks = 0;  ///< ranks without any record
};
[[nodiscard]] TraceSummary summarise_trace(const std::string& path, const ReplayChoice& choice = {});

/// A task that waits for ever, and the receive (or probe) it waits in.
struct WaitingTask {
  u32 task = 0;
  u64 record = 0;  ///< operation of this task, from 1, dropped ones not counted
  u64 line = 0;    ///< in the file (0 = unknown)
  u32 from = 0;    ///< as tag, GraphOp::any for any
  u32 tag = 0;
  u64 bytes = 0;
  u32 communicator = 0;
  u64 event = 0;           ///< of the trace that it is of, from 1 (0 = unknown)
  std::string place = {};  ///< "FILE:LINE" or "FILE: byte OFFSET", if it is known
};

/// Equal messages that nobody received.
struct LeftOver {
  u32 from = 0;
  u32 to = 0;
  u32 tag = 0;
  u64 bytes = 0;
  u64 count = 0;
  u32 communicator = 0;
};

struct TraceCheck {
  u64 messages = 0;                          ///< sent before everything ended or stuck
  std::vector<WaitingTask> stuck;            ///< by task
  u64 left_over = 0;                         ///< messages sent and never received
  std::vector<LeftOver> left_over_examples;  ///< the first 100 by receiver, source, tag and bytes
  [[nodiscard]] bool completes() const { return stuck.empty(); }
};

/// Replays a linear program without a network: a send arrives at once; a receive waits for a message with its source,
/// tag and bytes (0 counts as 1), or, of programs that match in order, its source, tag and communicator, each of them
/// if it takes any. Since sends never wait, the outcome does not depend on the order of execution, but for what
/// any-receives take.
[[nodiscard]] TraceCheck check_program(const Program& program);
/// Checks a file like check_program, with the lines of the receives that never end; of a program of graphs says what
/// check_graphs (workloads/trace/graph_replay.hpp) tells.
[[nodiscard]] TraceCheck check_trace(const std::string& path, const ReplayChoice& choice = {});

}  // namespace weft::workloads
