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
  const TraceProgram program(path, format);
  TraceSummary result;
  SpreadCount message_bytes, compute_ns, partners;
  // Task by task, one mark per possible partner: memory stays proportional to the tasks, not to their pairs.
  std::vector<u32> last_met_by(program.tasks(), program.tasks());
  for (u32 id = 0; id < program.tasks(); ++id) {
    const auto stream = program.open(TaskId(id));
    u128 task_ns = 0;
    u64 task_partners = 0, task_records = 0;
    for (Op op = stream->next(); op.kind != OpKind::end; op = stream->next()) {
      ++task_records;
      if (op.kind == OpKind::compute) {
        ++result.computes;
        task_ns += op.amount;
        continue;
      }
      if (op.kind == OpKind::send) {
        ++result.messages;
        message_bytes.add(op.amount);
      } else {
        ++result.receives;
      }
      if (last_met_by[op.peer] != id) ++task_partners;
      last_met_by[op.peer] = id;
    }
    compute_ns.add(shown(task_ns, path, fmt::format("the nanoseconds that task {} computes", id)));
    partners.add(task_partners);
    if (task_records == 0) ++result.idle_tasks;
  }
  result.tasks = program.tasks();
  result.records = program.records();
  result.bytes = shown(message_bytes.sum(), path, "the bytes of its messages");
  result.message_bytes = message_bytes.spread();
  result.compute_ns = compute_ns.spread();
  result.partners = partners.spread();
  result.self_sends = program.self_sends();
  result.self_receives = program.self_receives();
  return result;
}

TraceCheck check_program(const Program& program) { return DryReplay(program).run(); }

TraceCheck check_trace(const std::string& path, const std::string& format) {
  const TraceProgram program(path, format);
  TraceCheck result = check_program(program);
  if (!result.completes()) find_lines(result.stuck, program.tasks(), *open_trace(path, format));
  return result;
}

}  // namespace weft::workloads
