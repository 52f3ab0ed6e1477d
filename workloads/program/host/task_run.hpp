// A task while its program runs.
#pragma once

#include <bit>
#include <cstddef>
#include <memory>
#include <vector>

#include "workloads/program/host/task_table.hpp"
#include "workloads/program/host/work.hpp"
#include "workloads/program/message.hpp"
#include "workloads/program/program.hpp"

namespace weft::workloads {

/// How far an operation of a graph has come (GraphOp::state).
enum class OpState : u32 { waiting, ready, started, complete };

/// A receive and the message that it took: message `number` of its source.
struct Match {
  u32 source = 0, number = 0, destination = 0, receive_operation = 0;
};
/// A message and the operation that sent it.
struct SentMessage {
  u32 source = 0, number = 0, operation = 0;
};

/// One of several lists of operations of a task.
struct Lane {
  std::unique_ptr<TaskStream> stream;
  GraphOp current;     ///< the operation at hand
  u64 operations = 0;  ///< taken from the stream so far, marks and waits among them
  u64 awaited = 0;     ///< marks of `counter` that it waits for, or has waited for until now
  u32 counter = 0;
  bool waits = false, over = false;
  u8 activity = 0;            ///< of the operation at hand, or of what it waits for
  OpKind kind = OpKind::end;  ///< of the same
  Tick since = 0;             ///< when it took that up
  u64 computed = 0;           ///< lane 0: ticks that it has computed; others: what it had computed then

  void save(engine::ByteWriter& to) const;
  /// Loads a lane that has just been opened.
  void load(engine::ByteReader& from);
};

/// What a task did for one activity.
struct ActivityCounts {
  u64 ticks = 0;                ///< of lane 0
  u64 side_ticks = 0;           ///< of the other lanes, but for waits for marks
  u64 hidden_ticks = 0;         ///< of these: of sends and receives, while lane 0 computed
  u64 messages = 0, bytes = 0;  ///< sent
};

/// A message that came whole. Plain data: it lies in checkpoints.
struct ArrivedMessage {
  Tick at = 0;
  u32 source = 0, number = 0;  ///< task; of the message there
};

/// State of a task. What happens to it in a tick is gathered in phase one, and is empty between ticks: `arrivals`,
/// `over`. What it keeps by keys lies in the tables of the host.
struct alignas(64) TaskRun {
  // What each packet touches comes first, in a cache line.
  u32 id = 0, job = 0;
  u64 packets = 0, latency = 0, latency_max = 0;  ///< delivered; their ticks from generation: sum, longest
  Tick last_delivery = 0;                         ///< of a packet
  u64 handed = 0;                                 ///< packets that NICs took of it
  u64 in_flight = 0;   ///< packets and messages through memory: those it sent less those it got, modulo 2^64
  Tick next_send = 0;  ///< of its next message, for the last one
  // What linear programs touch all the time.
  u32 messages = 0;     ///< sent so far
  bool linear = false;  ///< its program is one stream; else it has lanes, or is a graph
  bool begun = false, done = false;
  bool at_end = false;          ///< no graph: only what is `pending` is left
  bool starting = false;        ///< in this tick
  bool lined_up = false;        ///< alone: `next` waits for what it needs
  bool alone = false;           ///< linear, and without requests: one operation at a time
  bool begins_request = false;  ///< linear: the operation at hand is a request when it has begun
  bool recorded = false;        ///< ProgramHost::timeline has it
  bool listens = false;         ///< Program::listens
  bool outside = false;         ///< Program::is_outside
  bool listening = false;       ///< the operation at hand waits for the next thing that its stream hears of
  u64 operations = 0;           ///< linear: taken from the stream so far; lanes: not over; graph: not complete yet
  Tick earliest = 0;            ///< of its next computation or send, for what it received last
  Tick wake = never;            ///< when it is to be looked at, besides the ends of its streams
  std::unique_ptr<TaskStream> stream;
  GraphOp current;                     ///< linear: the operation at hand
  Work next;                           ///< alone: what it does next
  ComputeStream first_stream;          ///< compute stream 0
  u64 arrived = 0, arrived_bytes = 0;  ///< messages
  std::vector<Message> arrivals;       ///< in this tick
  std::vector<u32> over;               ///< sends that are complete in this tick
  TaskList posted, unexpected;
  u32 wild = 0;     ///< posted receives that take any source or tag
  u32 pending = 0;  ///< no graph: rendezvous that it does not wait for, and requests that are not complete
  // Here it ends: `bytes_at_hand`.
  TaskList sent_count, received_count, early, awaited, unfinished, stripes, probes, given, requests;
  u32 awaited_request = TaskList::none;  ///< linear: the operation that it waits for, if that is not complete
  u32 rounds = 0;                        ///< of its program that are over
  Tick begin = never;                    ///< when its program began first
  Tick finished = 0;                     ///< when the last operation of its (last whole) program was complete
  u64 tickets = 0;                       ///< graph: of the next operation that is ready
  Tick path_out = 0,
       path_in = 0;  ///< on a non-blocking path inside the node: when it can send, and be sent, the next message
  TaskGraph graph;
  std::vector<Lane> lanes;                  ///< if there are several
  std::vector<u64> counters;                ///< of lanes: marks so far
  std::vector<ActivityCounts> activities;   ///< of lanes, as the program has them
  std::vector<ComputeStream> more_streams;  ///< from 1 on
  std::vector<WorkQueue> ready;             ///< not alone: what waits for what it needs
  std::vector<Match> matches;               ///< if they are recorded
  std::vector<u32> sends;                   ///< [message] operations, likewise
  std::vector<ArrivedMessage> arrived_at;   ///< of jobs that record arrivals

  /// Numbers of operations of lanes end in the lane.
  static constexpr u32 lane_bits = 6;
  static_assert(most_lanes == 1 << lane_bits);
  [[nodiscard]] static u32 lane_of(u32 operation) { return operation % most_lanes; }
  [[nodiscard]] u32 number_in_lane(u32 lane) const {
    return static_cast<u32>(lanes[lane].operations << lane_bits) | lane;
  }
  /// By which operations come one after the other: of lanes, those of lane 0 first.
  [[nodiscard]] u32 place_in_graph(u32 operation) const {
    return lanes.empty() ? operation : std::rotr(operation, static_cast<int>(lane_bits));
  }
  [[nodiscard]] GraphOp& op(u32 number) {
    if (linear) return current;
    return lanes.empty() ? graph.ops[number] : lanes[lane_of(number)].current;
  }
  [[nodiscard]] const GraphOp& op(u32 number) const { return const_cast<TaskRun*>(this)->op(number); }
  /// Opens its program.
  void open(const Program& program, TaskId task);

  ComputeStream& compute_stream(u8 number) {
    if (number == 0) return first_stream;
    if (more_streams.size() < number) more_streams.resize(number);
    return more_streams[number - std::size_t{1}];
  }
  void line_up(Work work) {
    if (alone) {
      WEFT_DEBUG_ASSERT(!lined_up);
      next = work;
      lined_up = true;
      return;
    }
    work.ticket = tickets++;
    for (WorkQueue& queue : ready) {
      if (queue.serves(work)) return queue.waiting.push(work);
    }
    ready.push_back({work.kind, work.stream, work.nic, {}});
    ready.back().waiting.push(work);
  }
  /// Bytes of the part that comes first.
  [[nodiscard]] static constexpr std::size_t bytes_at_hand();

  void save(engine::ByteWriter& to) const;
  /// Loads a task whose program has not begun. Throws InputError if the record is of another task or program.
  void load(engine::ByteReader& from);
};

constexpr std::size_t TaskRun::bytes_at_hand() { return offsetof(TaskRun, sent_count); }

/// What a task takes in memory, its stream and some messages included; for estimates.
inline constexpr u64 bytes_of_a_running_task = sizeof(TaskRun) + 512;

/// Puts a graph back to where none of its operations has begun.
void reset(TaskGraph graph);

}  // namespace weft::workloads
