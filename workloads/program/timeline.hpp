// What chosen tasks of a run do, and when: recorded while they run, for statistics.timeline.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/base/bytes.hpp"
#include "engine/base/types.hpp"
#include "workloads/program/program.hpp"

namespace weft::workloads {

/// One thing that a task did. Plain data: it lies in checkpoints.
struct TimelineRecord {
  enum class Kind : u8 {
    compute,
    send,
    receive,  ///< it waits until `handled`, then takes the message
    give,     ///< a chunk to the switch of group `peer`
    get,      ///< a chunk from it
    probe,
    lane,     ///< waits for marks of counter `peer` of its task
    drain,    ///< its operations are over, but not all receives of its messages
    region,   ///< `peer` in Program::regions; what lies in it does not begin before or end behind it
    arrival,  ///< of a message that no receive waits for (workload.mode = "at-will"); no length
    await,    ///< waits for a send that has begun before; `flow` is that of the send
    post,     ///< a receive that was started before it was waited for took message `flow`; no length
    outside,  ///< it waits for a time of the outside world
    meeting   ///< it waits until all tasks of `communicator` have come, and as long as that lasts
  };
  static constexpr u32 any = ~u32{0};  ///< peer, tag

  Tick begin = 0, end = 0;
  Tick handled = 0;  ///< receive, get: when the message began to be handled; `end` if that took no time
  Tick arrived = 0;  ///< receive: when its message was there
  u64 bytes = 0;
  u64 flow = 0;  ///< the message, by which a send and a receive are of one; 0: none
  u32 task = 0;
  u32 peer = any;  ///< task, of all jobs; or see the kind
  u32 tag = 0, communicator = 0;
  Kind kind = Kind::compute;
  u8 lane = 0;       ///< or stream of a graph
  u16 depth = 0;     ///< of a region among those that it lies in
  u32 finished = 1;  ///< 0: it was going on when the record ended
};
static_assert(sizeof(TimelineRecord) == 72);

/// What is recorded.
struct TimelineSpec {
  std::vector<u32> tasks = {};      ///< in order
  Tick from = 0, to = never;        ///< what overlaps [from, to)
  u64 most_records = u64{1} << 20;  ///< of a task; what comes later is not recorded
};

/// The records of a task. An operation is known by a key: the number of its list for programs that are lists (0, or a
/// lane), its own number in graphs.
class TaskTimeline {
 public:
  /// `first_task`: of its job. `outside`: it lives outside of the simulation (Program::is_outside).
  TaskTimeline(const TimelineSpec& spec, u32 task, u32 first_task, bool outside = false)
      : spec_(&spec), task_(task), first_(first_task), outside_(outside) {}

  // Lists: each operation ends when the next is taken.

  /// The next operation of a list, in these regions (outermost first). `end`: what is left is to wait for receives.
  void take(u8 list, Tick now, const Op& op, std::span<const u32> regions);
  /// A list is over.
  void over(u8 list, Tick now);

  /// The send that the first list is at has begun, and waits for its receive.
  void waits(Tick now);

  // Sends and receives that the first list starts, and waits for later (Op of kind await). A send is recorded when it
  // is launched, with no length; both where the list waits for them. For a receive that took a message after it was
  // posted, the time of that is recorded as well.

  void start(u32 request, Tick now, const Op& op);
  /// A send that was started is message `number` of the task.
  void launched(u32 request, u32 number);
  /// A receive that was started has a message; as `handled`.
  void taken(u32 request, Tick now, u32 source, u32 number, u64 bytes);

  // Graphs.

  void begin(u32 operation, Tick now, const GraphOp& op);
  void end(u32 operation, Tick now);

  // While an operation goes on.

  /// A send is message `number` of the task.
  void sent(u32 key, u32 number);
  /// A receive has a message, and begins to handle it. `source`: task of all jobs.
  void handled(u32 key, Tick now, u32 source, u32 number, u64 bytes);

  // Messages.

  /// One came whole. `waited`: a receive will take it.
  void arrived(u32 source, u32 number, Tick now, u32 tag, u64 bytes, bool waited);

  /// All records, of what goes on at `now` too, with nothing from `cut` on.
  void add_records(std::vector<TimelineRecord>& to, Tick now, Tick cut) const;
  /// When it had as many records as are kept; `never`: it has not.
  [[nodiscard]] Tick full_at() const { return full_at_; }

  void save(engine::ByteWriter& to) const;
  void load(engine::ByteReader& from);

 private:
  struct Region {
    u32 number = 0, unused = 0;
    Tick begin = 0;
  };
  struct List {
    TimelineRecord open;
    bool is_open = false;
    std::vector<u32> regions;  ///< of the operation at hand
    std::vector<Region> in;    ///< entered
  };
  [[nodiscard]] TimelineRecord* open_of(u32 key);
  [[nodiscard]] TimelineRecord begun(const Op& op, u8 list, Tick now) const;
  /// When a message was there; it is forgotten.
  [[nodiscard]] Tick time_of(u64 flow, Tick now);
  [[nodiscard]] u64 flow_of(u32 source, u32 number) const { return (u64{source} << 32 | number) + 1; }
  void close(List& list, Tick now);
  void leave(List& list, u8 number, std::size_t depth, Tick now);
  void keep(const TimelineRecord& record);
  [[nodiscard]] TimelineRecord region_record(const Region& region, u8 list, std::size_t depth, Tick end) const;

  const TimelineSpec* spec_;
  u32 task_, first_;
  bool outside_;
  Tick full_at_ = never;
  std::vector<TimelineRecord> records_;
  std::vector<List> lists_;
  std::map<u32, TimelineRecord> open_;      ///< of a graph, by operation
  std::map<u32, TimelineRecord> requests_;  ///< of the first list: started, not waited for
  u32 awaited_ = ~u32{0};                   ///< of them, what the first list waits for
  std::map<u64, Tick> arrived_;             ///< messages that no receive has taken, by flow
};

/// The timelines of the tasks of a process.
class Timeline {
 public:
  explicit Timeline(TimelineSpec spec) : spec_(std::make_unique<TimelineSpec>(std::move(spec))) {}
  /// A task that runs here. Whether it is recorded.
  bool open(u32 task, u32 first_task, bool outside = false);
  /// Timeline of a task that is recorded, and runs here.
  [[nodiscard]] TaskTimeline& of(u32 task) { return *tasks_.at(task); }
  [[nodiscard]] const TaskTimeline& of(u32 task) const { return *tasks_.at(task); }
  [[nodiscard]] const TimelineSpec& spec() const { return *spec_; }
  /// Records of the tasks in [first, end) that run here, by task.
  [[nodiscard]] std::vector<TimelineRecord> records(u32 first, u32 end, Tick now, Tick cut) const;
  /// When the first of them was full.
  [[nodiscard]] Tick full_at() const;

 private:
  std::unique_ptr<TimelineSpec> spec_;  ///< stays where it is
  std::unordered_map<u32, std::unique_ptr<TaskTimeline>> tasks_;
};

}  // namespace weft::workloads
