// Counts of a trace and its dry replay; see the header.
#include "workloads/trace/trace_summary.hpp"

#include <algorithm>
#include <deque>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <tuple>
#include <unordered_map>

#include "engine/base/error.hpp"
#include "workloads/trace/graph_replay.hpp"
#include "workloads/trace/replay/event_ops.hpp"
#include "workloads/trace/replay/record_places.hpp"
#include "workloads/trace/store/call_times.hpp"
#include "workloads/trace/trace_program.hpp"

namespace weft::workloads {
namespace {

constexpr std::size_t max_left_over_examples = 100;
/// A task yields after so many operations: one that only sends would otherwise run through its whole trace before its
/// receivers drain anything.
constexpr u32 turn_ops = 256;

/// Sums that no number can show end in an error: a wrong one would look right.
u64 shown(u128 sum, const std::string& file, const std::string& what) {
  if (sum <= std::numeric_limits<u64>::max()) return static_cast<u64>(sum);
  throw InputError(fmt::format("{}: {} add up to more than 2^64 - 1; check the amounts of its records", file, what));
}

class SpreadCount {
 public:
  void add(u64 value) {
    min_ = std::min(min_, value);
    max_ = std::max(max_, value);
    sum_ += value;
    ++count_;
  }
  [[nodiscard]] u128 sum() const { return sum_; }
  [[nodiscard]] Spread spread() const {
    if (count_ == 0) return {};
    return {min_, static_cast<double>(sum_) / static_cast<double>(count_), max_};
  }

 private:
  u64 min_ = std::numeric_limits<u64>::max();
  u64 max_ = 0;
  u128 sum_ = 0;
  u64 count_ = 0;
};

/// Counts the operations of one task after the other.
class SummaryCount {
 public:
  explicit SummaryCount(TraceSummary& result) : result_(result), last_met_by_(result.tasks, result.tasks) {}

  void add(u32 task, const GraphOp& op) {
    ++task_records_;
    switch (op.kind) {
      case GraphOp::Kind::compute:
        ++result_.computes;
        task_ns_ += op.amount;
        return;
      case GraphOp::Kind::meet:  // of linear programs alone
      case GraphOp::Kind::join:
        ++result_.joins;
        return;
      case GraphOp::Kind::until:
      case GraphOp::Kind::pause:
        ++result_.times;
        return;
      case GraphOp::Kind::probe:
        ++result_.probes;
        return;
      case GraphOp::Kind::send:
        ++result_.messages;
        message_bytes_.add(op.amount);
        break;
      case GraphOp::Kind::receive:
        ++result_.receives;
        if (op.peer == GraphOp::any) return;
        break;
    }
    if (last_met_by_[op.peer] != task) ++task_partners_;
    last_met_by_[op.peer] = task;
  }
  void add(u32 task, const TraceEvent& event) {
    using Kind = TraceEvent::Kind;
    GraphOp op;
    op.peer = event.peer;
    op.amount = event.bytes == TraceEvent::unknown_bytes ? 0 : event.bytes;
    switch (event.kind) {
      case Kind::compute:
        op.kind = GraphOp::Kind::compute;
        break;
      case Kind::send:
      case Kind::isend:
        op.kind = GraphOp::Kind::send;
        break;
      case Kind::receive:
      case Kind::ireceive:
        op.kind = GraphOp::Kind::receive;
        break;
      case Kind::probe:
        op.kind = GraphOp::Kind::probe;
        break;
      case Kind::collective: {
        ++task_records_;
        CollectiveCount& calls = result_.collectives[std::string(name_of(event.operation))];
        ++calls.calls;
        const u64 bytes = event.bytes == 0 ? event.bytes_received : event.bytes;
        if (bytes != TraceEvent::unknown_bytes) calls.bytes += bytes;
        return;
      }
      case Kind::wait:
        ++task_records_, ++result_.waits;
        return;
      case Kind::enter:
      case Kind::leave:
      case Kind::mark:
        ++task_records_, ++result_.marks;
        return;
      case Kind::count:
        ++task_records_, ++result_.counts;
        return;
    }
    add(task, op);
  }
  /// Computing between two calls.
  void add_gap(u64 ns) {
    ++result_.computes;
    task_ns_ += ns;
  }
  void end_task(u32 task, const std::string& file) {
    compute_ns_.add(task_ns_ == 0 ? 0
                                  : shown(task_ns_, file, fmt::format("the nanoseconds that task {} computes", task)));
    partners_.add(task_partners_);
    if (task_records_ == 0) ++result_.idle_tasks;
    result_.records += task_records_;
    task_ns_ = 0;
    task_partners_ = task_records_ = 0;
  }
  void finish(const std::string& file) {
    result_.bytes = shown(message_bytes_.sum(), file, "the bytes of its messages");
    result_.message_bytes = message_bytes_.spread();
    result_.compute_ns = compute_ns_.spread();
    result_.partners = partners_.spread();
  }

 private:
  TraceSummary& result_;
  /// One mark per possible partner: memory stays proportional to the tasks, not to their pairs.
  std::vector<u32> last_met_by_;
  SpreadCount message_bytes_, compute_ns_, partners_;
  u128 task_ns_ = 0;
  u64 task_partners_ = 0, task_records_ = 0;
};

/// What a receive compares, apart from the receiver.
struct MessageKey {
  u32 from;
  u32 tag;
  u64 bytes;  ///< 0 where it is not compared
  u32 communicator;
  friend bool operator==(const MessageKey&, const MessageKey&) = default;
  friend auto operator<=>(const MessageKey&, const MessageKey&) = default;
};

struct MessageKeyHash {
  std::size_t operator()(const MessageKey& key) const {
    u64 hash = (u64{key.from} << 32 | key.tag) * 0x9E37'79B9'7F4A'7C15ull;
    hash = (hash ^ (hash >> 29) ^ key.bytes ^ (u64{key.communicator} << 40)) * 0xBF58'476D'1CE4'E5B9ull;
    return static_cast<std::size_t>(hash ^ (hash >> 32));
  }
};

bool fits_any(const Op& receive, const MessageKey& key) {
  return (receive.peer == GraphOp::any || receive.peer == key.from) &&
         (receive.tag == GraphOp::any || receive.tag == key.tag) && receive.communicator == key.communicator;
}

/// All tasks of the dry replay.
class DryReplay {
 public:
  explicit DryReplay(const Program& program)
      : program_(program), in_order_(program.matches_in_order()), tasks_(program.tasks()) {
    const auto* const trace = dynamic_cast<const TraceProgram*>(&program);
    for (u32 task = 0; task < program.tasks(); ++task) {
      if (trace == nullptr || trace->store().index().has_events(task)) runnable_.push_back(task);
    }
  }

  TraceCheck run() {
    while (!runnable_.empty()) {
      const u32 task = runnable_.front();
      runnable_.pop_front();
      if (take_turn(task)) runnable_.push_back(task);
    }
    return report();
  }

 private:
  struct Task {
    std::unique_ptr<TaskStream> stream;
    /// What is there, and when the first of that kind came.
    struct Waiting {
      u64 count = 0, since = 0;
    };
    std::unordered_map<MessageKey, Waiting, MessageKeyHash> mailbox;
    Op waiting;  ///< a receive while the task is blocked, else end
    u64 records = 0;
  };

  Task& task_of(u32 id) {
    if (tasks_[id] == nullptr) tasks_[id] = std::make_unique<Task>();
    return *tasks_[id];
  }

  /// Executes up to turn_ops operations; true if the task can go on.
  bool take_turn(u32 id) {
    Task& task = task_of(id);
    if (!task.stream) task.stream = program_.open(TaskId(id));
    for (u32 step = 0; step < turn_ops; ++step) {
      const Op op = task.stream->next();
      if (op.kind == OpKind::end) {
        task.stream.reset();
        return false;
      }
      ++task.records;
      if (op.kind == OpKind::send) {
        deliver(id, op);
      } else if (op.kind == OpKind::receive && !take(task, op)) {
        task.waiting = op;
        return false;
      }
    }
    return true;
  }

  void deliver(u32 from, const Op& op) {
    WEFT_ASSERT(op.peer < tasks_.size());
    ++result_.messages;
    Task& receiver = task_of(op.peer);
    const MessageKey key = key_of(from, op);
    const Op& waiting = receiver.waiting;
    if (waiting.kind == OpKind::receive &&
        (is_wild(waiting) ? fits_any(waiting, key) : key_of(waiting.peer, waiting) == key)) {
      receiver.waiting = {};
      runnable_.push_back(op.peer);
      return;
    }
    auto& there = receiver.mailbox[key];
    if (there.count++ == 0) there.since = result_.messages;
  }

  [[nodiscard]] bool is_wild(const Op& receive) const {
    return in_order_ && (receive.peer == GraphOp::any || receive.tag == GraphOp::any);
  }
  [[nodiscard]] MessageKey key_of(u32 from, const Op& op) const {
    if (in_order_) return {from, op.tag, 0, op.communicator};
    return {from, op.tag, std::max<u64>(op.amount, 1), 0};
  }

  [[nodiscard]] bool take(Task& task, const Op& receive) const {
    auto found = task.mailbox.end();
    if (!is_wild(receive)) {
      found = task.mailbox.find(key_of(receive.peer, receive));
    } else {
      for (auto it = task.mailbox.begin(); it != task.mailbox.end(); ++it) {
        if (fits_any(receive, it->first) && (found == task.mailbox.end() || it->second.since < found->second.since))
          found = it;
      }
    }
    if (found == task.mailbox.end()) return false;
    if (--found->second.count == 0) task.mailbox.erase(found);
    return true;
  }

  TraceCheck report() {
    for (u32 id = 0; id < tasks_.size(); ++id) {
      if (tasks_[id] == nullptr) continue;
      const Task& task = *tasks_[id];
      if (task.waiting.kind == OpKind::receive) {
        const auto* const events = dynamic_cast<const EventOps*>(task.stream.get());
        result_.stuck.push_back({id, task.records, 0, task.waiting.peer, task.waiting.tag, task.waiting.amount,
                                 task.waiting.communicator, events != nullptr ? events->events() : 0});
      }
      std::vector<std::pair<MessageKey, u64>> left;
      for (const auto& [key, there] : task.mailbox) left.emplace_back(key, there.count);
      std::sort(left.begin(), left.end());
      for (const auto& [key, count] : left) {
        result_.left_over += count;
        if (result_.left_over_examples.size() == max_left_over_examples) continue;
        result_.left_over_examples.push_back({key.from, id, key.tag, key.bytes, count, key.communicator});
      }
    }
    return std::move(result_);
  }

  const Program& program_;
  bool in_order_;
  std::vector<std::unique_ptr<Task>> tasks_;  ///< of which something has been heard
  std::deque<u32> runnable_;
  TraceCheck result_;
};

void find_lines(std::vector<WaitingTask>& stuck, u32 tasks, const TraceSource& source) {
  std::vector<std::pair<u32, u64>> records;
  for (const WaitingTask& task : stuck) records.emplace_back(task.task, task.event);
  const std::vector<RecordPlace> places = record_places(source, tasks, records);
  for (std::size_t k = 0; k < stuck.size(); ++k) {
    stuck[k].line = places[k].position;
    stuck[k].place = places[k].text;
  }
}

/// Counts a trace of events.
void count_events(const TraceProgram& trace, const std::string& path, TraceSummary& result) {
  const StoreIndex& index = trace.store().index();
  result.self_sends = index.self_sends;
  result.self_receives = index.self_receives;
  result.communicators = static_cast<u64>(
      std::ranges::count(index.communicators, false, [](const TraceCommunicator& all) { return all.is_internal; }));
  for (const TraceName& name : index.names) {
    if (name.is_counter) result.counters.push_back(name.text);
  }
  result.duration_s = static_cast<double>(index.end_ns) * 1e-9;
  SummaryCount count(result);
  TraceEvent event;
  for (u32 id = 0; id < result.tasks; ++id) {
    const auto events = index.has_events(id) ? trace.events(id) : nullptr;
    CallTimes times(index);
    while (events != nullptr && events->next(event)) {
      if (const u64 ns = index.has_times ? times.next(event).computed_ns : 0; ns > 0) count.add_gap(ns);
      count.add(id, event);
    }
    count.end_task(id, path);
  }
  count.finish(path);
}

}  // namespace

TraceSummary summarise_trace(const std::string& path, const ReplayChoice& choice) {
  const TraceInput input = find_trace(path);
  TraceSummary result;
  result.format = find_trace_format(input, choice.store.format);
  ReplayChoice found = choice;
  found.store.format = result.format;
  const auto program = open_program(input, found);
  result.tasks = program->tasks();
  result.graphs = program->has_graphs();
  if (const auto* const trace = dynamic_cast<const TraceProgram*>(program.get()); trace != nullptr) {
    count_events(*trace, path, result);
    return result;
  }
  SummaryCount count(result);
  for (u32 id = 0; id < result.tasks; ++id) {
    const TaskGraph graph = program->graph(TaskId(id));
    for (const GraphOp& op : graph.ops) count.add(id, op);
    result.requirements += graph.dependents.size();
    count.end_task(id, path);
  }
  count.finish(path);
  return result;
}

TraceCheck check_program(const Program& program) { return DryReplay(program).run(); }

TraceCheck check_trace(const std::string& path, const ReplayChoice& choice) {
  const TraceInput input = find_trace(path);
  const auto program = open_program(input, choice);
  if (program->has_graphs()) return check_graphs(*program);
  TraceCheck result = check_program(*program);
  if (!result.completes() && !input.once)
    find_lines(result.stuck, program->tasks(), *open_trace(input, choice.store.format).source);
  return result;
}

}  // namespace weft::workloads
