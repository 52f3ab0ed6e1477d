// Counts of a trace and its dry replay; see the header.
#include "workloads/trace/trace_summary.hpp"

#include <algorithm>
#include <deque>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <tuple>
#include <unordered_map>

#include "engine/error.hpp"
#include "workloads/trace/graph_replay.hpp"
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
      case GraphOp::Kind::join:
        ++result_.joins;
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
  void end_task(u32 task, const std::string& file) {
    compute_ns_.add(shown(task_ns_, file, fmt::format("the nanoseconds that task {} computes", task)));
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
  u64 bytes;
  friend bool operator==(const MessageKey&, const MessageKey&) = default;
  friend auto operator<=>(const MessageKey&, const MessageKey&) = default;
};

struct MessageKeyHash {
  std::size_t operator()(const MessageKey& key) const {
    u64 hash = (u64{key.from} << 32 | key.tag) * 0x9E37'79B9'7F4A'7C15ull;
    hash = (hash ^ (hash >> 29) ^ key.bytes) * 0xBF58'476D'1CE4'E5B9ull;
    return static_cast<std::size_t>(hash ^ (hash >> 32));
  }
};

MessageKey key_of(u32 from, const Op& op) { return {from, op.tag, std::max<u64>(op.amount, 1)}; }

/// All tasks of the dry replay.
class DryReplay {
 public:
  explicit DryReplay(const Program& program) : program_(program), tasks_(program.tasks()) {
    for (u32 task = 0; task < program.tasks(); ++task) runnable_.push_back(task);
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
    std::unordered_map<MessageKey, u64, MessageKeyHash> mailbox;
    Op waiting;  ///< a receive while the task is blocked, else end
    u64 records = 0;
  };

  /// Executes up to turn_ops operations; true if the task can go on.
  bool take_turn(u32 id) {
    Task& task = tasks_[id];
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
      } else if (op.kind == OpKind::receive && !take(task, key_of(op.peer, op))) {
        task.waiting = op;
        return false;
      }
    }
    return true;
  }

  void deliver(u32 from, const Op& op) {
    WEFT_ASSERT(op.peer < tasks_.size());
    ++result_.messages;
    Task& receiver = tasks_[op.peer];
    const MessageKey key = key_of(from, op);
    if (receiver.waiting.kind == OpKind::receive && key_of(receiver.waiting.peer, receiver.waiting) == key) {
      receiver.waiting = {};
      runnable_.push_back(op.peer);
      return;
    }
    ++receiver.mailbox[key];
  }

  static bool take(Task& task, const MessageKey& key) {
    const auto found = task.mailbox.find(key);
    if (found == task.mailbox.end()) return false;
    if (--found->second == 0) task.mailbox.erase(found);
    return true;
  }

  TraceCheck report() {
    for (u32 id = 0; id < tasks_.size(); ++id) {
      const Task& task = tasks_[id];
      if (task.waiting.kind == OpKind::receive) {
        result_.stuck.push_back({id, task.records, 0, task.waiting.peer, task.waiting.tag, task.waiting.amount});
      }
      std::vector<std::pair<MessageKey, u64>> left(task.mailbox.begin(), task.mailbox.end());
      std::sort(left.begin(), left.end());
      for (const auto& [key, count] : left) {
        result_.left_over += count;
        if (result_.left_over_examples.size() == max_left_over_examples) continue;
        result_.left_over_examples.push_back({key.from, id, key.tag, key.bytes, count});
      }
    }
    return std::move(result_);
  }

  const Program& program_;
  std::vector<Task> tasks_;
  std::deque<u32> runnable_;
  TraceCheck result_;
};

/// Streams know no lines, so the file is read again, only when there is something to report.
void find_lines(std::vector<WaitingTask>& stuck, u32 tasks, TraceReader& reader) {
  std::vector<u64> records(tasks, 0);
  std::map<std::pair<u32, u64>, WaitingTask*> wanted;
  std::vector<bool> is_stuck(tasks, false);
  for (WaitingTask& task : stuck) {
    wanted[{task.task, task.record}] = &task;
    is_stuck[task.task] = true;
  }
  TraceRecord record;
  while (!wanted.empty() && reader.next(record)) {
    if (!is_stuck[record.task]) continue;
    const auto found = wanted.find({record.task, ++records[record.task]});
    if (found == wanted.end()) continue;
    found->second->line = reader.position();
    is_stuck[record.task] = false;
    wanted.erase(found);
  }
}

}  // namespace

TraceSummary summarise_trace(const std::string& path, const std::string& format) {
  auto bytes = open_bytes(path);
  TraceSummary result;
  result.format = find_trace_format(bytes, format);
  const auto program = open_program(std::move(bytes), path, result.format, {}, {});
  result.tasks = program->tasks();
  result.graphs = program->has_graphs();
  SummaryCount count(result);
  for (u32 id = 0; id < result.tasks; ++id) {
    if (result.graphs) {
      const TaskGraph graph = program->graph(TaskId(id));
      for (const GraphOp& op : graph.ops) count.add(id, op);
      result.requirements += graph.dependents.size();
    } else {
      const auto stream = program->open(TaskId(id));
      for (Op op = stream->next(); op.kind != OpKind::end; op = stream->next()) count.add(id, graph_op(op));
    }
    count.end_task(id, path);
  }
  count.finish(path);
  if (const auto* const records = dynamic_cast<const TraceProgram*>(program.get()); records != nullptr) {
    result.self_sends = records->self_sends();
    result.self_receives = records->self_receives();
  }
  return result;
}

TraceCheck check_program(const Program& program) { return DryReplay(program).run(); }

TraceCheck check_trace(const std::string& path, const std::string& format) {
  const auto program = open_program(path, format);
  if (program->has_graphs()) return check_graphs(*program);
  TraceCheck result = check_program(*program);
  if (!result.completes()) find_lines(result.stuck, program->tasks(), *open_trace(path, format));
  return result;
}

}  // namespace weft::workloads
