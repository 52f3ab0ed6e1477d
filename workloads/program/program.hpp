// What a simulated application is to the rest of weft: a set of tasks, each a lazily pulled stream of operations.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/types.hpp"
#include "workloads/program/graph.hpp"

namespace weft::workloads {

struct Message;
struct ReceivedMessage;

/// `mark` and `wait` are of programs with several lanes; `give` and `get` of those with switch groups; `isend`,
/// `ireceive` and `await` of those with requests (Program::has_requests); `listen`, which waits for the next thing that
/// its stream hears of, and `cancel`, of those that listen (Program::listens). `until` and `pause` are times of the
/// outside world, in which nobody computes: until so long after the begin of the task's program, or for so long. `meet`
/// is of those that meet (Program::meets): the task waits until all tasks of a communicator have come, and as long as
/// they have to do with each other; `imeet` starts that as a request.
enum class OpKind : u8 {
  compute,
  send,
  receive,
  end,
  mark,
  wait,
  give,
  get,
  isend,
  ireceive,
  await,
  listen,
  cancel,
  until,
  pause,
  meet,
  imeet
};

/// Whether that is a message, or a chunk of a switch group.
[[nodiscard]] constexpr bool communicates(OpKind kind) {
  return kind == OpKind::send || kind == OpKind::receive || kind == OpKind::give || kind == OpKind::get;
}

/// One operation of a task.
struct Op {
  OpKind kind = OpKind::end;
  /// Send: destination task; receive: source task; mark, wait: counter; give, get: switch group; meet: number of what
  /// the tasks do there, in which they must agree (workloads::Collective).
  u32 peer = 0;
  u32 tag =
      0;  ///< send, receive; give, get: number of the chunk; meet: which it is of its task and communicator, from 0
  /// Messages, give, get: bytes; compute, until, pause: ns; wait: marks that must have been counted; await: the number
  /// of the isend or ireceive among the operations of the task, from 0. One that is over, or that there is not, is not
  /// waited for; cancel: that of an ireceive for which no message has come, which never was then; meet: ps that it
  /// lasts when all have come, where is_synchronous says that this task knows, as one of them does.
  u64 amount = 0;
  u8 activity = 0;              ///< in lanes, what it is for: number in Program::activities
  bool is_synchronous = false;  ///< send, isend: complete when a receive takes it, by rendezvous
  bool waits = false;           ///< send: a blocking call, whose rendezvous the next operation waits for
  /// Send, receive: matching in order tells messages of different ones apart; meet: whose tasks meet.
  u32 communicator = 0;
  friend bool operator==(const Op&, const Op&) = default;
};

/// An operation that computes, sends, receives or awaits as one of a graph.
[[nodiscard]] inline GraphOp graph_op(const Op& op) {
  GraphOp result;
  const bool sends = op.kind == OpKind::send || op.kind == OpKind::give || op.kind == OpKind::isend;
  result.kind = op.kind == OpKind::compute                            ? GraphOp::Kind::compute
                : op.kind == OpKind::meet || op.kind == OpKind::imeet ? GraphOp::Kind::meet
                : op.kind == OpKind::until                            ? GraphOp::Kind::until
                : op.kind == OpKind::pause                            ? GraphOp::Kind::pause
                : op.kind == OpKind::await || op.kind == OpKind::listen || op.kind == OpKind::cancel
                    ? GraphOp::Kind::join
                : sends ? GraphOp::Kind::send
                        : GraphOp::Kind::receive;
  if (op.kind == OpKind::give || op.kind == OpKind::get)
    result.communicator = GraphOp::by_switch;
  else
    result.communicator = op.communicator;
  result.peer = op.peer;
  result.tag = op.tag;
  result.amount = op.amount;
  result.is_synchronous = op.is_synchronous;
  result.waits = op.waits;
  return result;
}

/// The operations of one task in program order. After the last one, `next` returns `end` for ever.
class TaskStream {
 public:
  virtual ~TaskStream() = default;
  virtual Op next() = 0;
  /// Appends what the last operation lies in, outermost first: numbers in Program::regions. Of lanes, see
  /// Program::activities.
  virtual void add_regions(std::vector<u32>& /*inside*/) const {}

  // For programs that listen (Program::listens): what becomes of the task, in the order in which it happens, each with
  // the tick. Numbers of tasks are the program's own.

  /// The operation before is over, or has begun if it is a request; `next` is called then.
  virtual void at(Tick /*tick*/) {}
  /// A message has come: whole, or (rendezvous) that there is one. If the stream takes it, no receive will.
  [[nodiscard]] virtual bool takes(const Message& /*message*/, Tick /*tick*/) { return false; }
  /// A receive has found its message, which it completes with when it has been handled.
  virtual void matched(u32 /*operation*/, const ReceivedMessage& /*message*/, Tick /*tick*/) {}
  /// A send or a receive that was started as a request is complete.
  virtual void complete(u32 /*operation*/, Tick /*tick*/) {}
};

/// Tasks at equal distances for which switches work, by chunks: each gives it a chunk (`give`), and when all have, it
/// sends the sum to all of them (`get`). Or, if it does not combine, only the root gives and all get. Who gives a chunk
/// again, in another round, must have got the one before.
struct SwitchGroup {
  u32 first = 0, stride = 1, size = 1;
  u32 root = 0;  ///< among them; its node is where the state of the switch is kept
  bool combines = true;
  // What networks of several switches go by: chunk n is chunk n / channels of channel n % channels, and is given when
  // its task has got the one of its channel that is `in_flight` before it.
  u32 channels = 1;
  u64 in_flight = 1;
  u64 chunk_bytes = 1;  ///< of the longest
  [[nodiscard]] u32 task(u32 rank) const { return first + stride * rank; }
  [[nodiscard]] u32 givers() const { return combines ? size : 1; }
};

/// Most lanes of a task, and counters by which they wait for each other.
inline constexpr u32 most_lanes = 64, most_counters = 64;

/// What tasks of programs with lanes do, for results: "forward", "pipeline"...
struct Activity {
  std::string name;
  bool communicates = false;  ///< else it computes
  bool outside = false;       ///< it does neither: it waits for times of the outside world
};
inline constexpr u32 most_activities = 32;

/// A recording: how many records tasks of this process have come to, and how many those of all tasks have.
struct RecordCount {
  u64 done = 0, all = 0;
};

/// An application: a fixed number of tasks. Streams are independent and may be opened for any subset of the tasks.
/// Linear, of several lanes, or a program of graphs.
class Program {
 public:
  virtual ~Program() = default;
  [[nodiscard]] virtual u32 tasks() const = 0;
  [[nodiscard]] virtual std::unique_ptr<TaskStream> open(TaskId task) const = 0;
  [[nodiscard]] virtual std::string name() const = 0;
  /// Lanes of each task: lists of operations side by side, each in its own order, as the streams of an accelerator. A
  /// lane marks a counter of the task, and another waits until so many marks are counted; each counter is marked by one
  /// lane. If there are several lanes, `open_lane` is asked in place of `open`.
  [[nodiscard]] virtual u32 lanes() const { return 1; }
  [[nodiscard]] virtual std::unique_ptr<TaskStream> open_lane(TaskId task, u32 /*lane*/) const { return open(task); }
  /// Whether its tasks are graphs; then `graph` is asked in place of `open`.
  [[nodiscard]] virtual bool has_graphs() const { return false; }
  [[nodiscard]] virtual TaskGraph graph(TaskId /*task*/) const { return {}; }
  /// What lanes do; lane 0 is the one whose time is told apart. Empty: nothing is told.
  [[nodiscard]] virtual std::vector<Activity> activities() const { return {}; }
  /// [activity]: ns that lane 0 of a task, in the mean over all, waits for it even where messages cost nothing and all
  /// compute as long as the program says. Empty: that is not known.
  [[nodiscard]] virtual std::vector<double> least_waits_ns() const { return {}; }
  /// What operations lie in, for timelines: collective calls, regions of a trace; of lanes, activities.
  [[nodiscard]] virtual std::vector<Activity> regions() const { return activities(); }
  /// Groups that switches work for; ideal networks and those of switches of cells only.
  [[nodiscard]] virtual u32 switch_groups() const { return 0; }
  [[nodiscard]] virtual SwitchGroup switch_group(u32 /*group*/) const { return {}; }
  /// From a node to the switch of ideal networks, and back; 0: as from one node to another.
  [[nodiscard]] virtual u64 switch_latency_ns() const { return 0; }
  /// Whether its (linear) tasks meet (OpKind::meet).
  [[nodiscard]] virtual bool meets() const { return false; }
  /// Tasks of a communicator that meet, and ps that meeting lasts at least.
  [[nodiscard]] virtual u32 meeting_tasks(u32 /*communicator*/) const { return tasks(); }
  [[nodiscard]] virtual u64 least_meeting_ps() const { return 0; }
  /// Whether linear tasks start sends and receives that they wait for later, or not at all.
  [[nodiscard]] virtual bool has_requests() const { return false; }
  /// Whether the streams of its (linear) tasks hear what becomes of them, and say what comes next by that. It has
  /// requests as well; such a program cannot be gone on with from a checkpoint.
  [[nodiscard]] virtual bool listens() const { return false; }
  /// Whether the operations of each task are one list.
  [[nodiscard]] bool is_linear() const { return !has_graphs() && lanes() == 1; }
  /// Whether the computations of its streams last until a time, in cycles from the begin of the task: what is to begin
  /// then begins late if the task is not that far. No processor takes part in them. Times of the outside world are in
  /// cycles, too.
  [[nodiscard]] virtual bool keeps_time() const { return false; }
  /// Whether it waits for times of the outside world (OpKind::until, pause) that are in ns.
  [[nodiscard]] virtual bool waits_for_times() const { return false; }
  /// Whether its tasks live outside of the simulation, which knows of what they do between messages what they say
  /// (regions), and takes their messages as they come. Such a program keeps time and listens.
  [[nodiscard]] virtual bool is_outside() const { return false; }
  /// Whether its receives are matched as MPI matches them (docs/programs.md), unless the user says otherwise.
  [[nodiscard]] virtual bool matches_in_order() const { return !is_linear(); }
  /// Whether its receives may take any source or tag; of graphs, those that this process has.
  [[nodiscard]] virtual bool takes_any() const { return matches_in_order(); }
  /// Records of a linear program that replays a recording; none else.
  [[nodiscard]] virtual RecordCount records() const { return {}; }
  /// Which record of its task an operation (from 1) is of, from 1; 0 if it is of none. Takes as long as to come there.
  [[nodiscard]] virtual u64 record_of(TaskId /*task*/, u64 /*operation*/) const { return 0; }
  /// Where records (of a task, from 1) stand, each "FILE:LINE" or "FILE: byte OFFSET", empty where that is not known.
  /// Takes as long as to read the recording.
  [[nodiscard]] virtual std::vector<std::string> places_of(const std::vector<std::pair<u32, u64>>& records) const {
    return std::vector<std::string>(records.size());
  }
  /// Bytes that it takes in each process, besides those of the tasks there.
  [[nodiscard]] virtual u64 bytes() const { return 0; }
};

}  // namespace weft::workloads
