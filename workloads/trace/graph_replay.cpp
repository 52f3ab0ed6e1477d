// Dry run of graphs; see the header.
#include "workloads/trace/graph_replay.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <tuple>

#include "engine/base/error.hpp"

namespace weft::workloads {
namespace {

constexpr std::size_t most_left_over_graph_messages = 100;

class GraphReplay {
 public:
  explicit GraphReplay(const Program& program) : program_(program), tasks_(program.tasks()) {}

  TraceCheck run() {
    for (u32 task = 0; task < tasks_.size(); ++task) {
      const TaskGraph& graph = tasks_[task].graph = program_.graph(TaskId(task));
      for (u32 op = 0; op < graph.ops.size(); ++op)
        if (graph.ops[op].missing == 0) ready_.emplace_back(task, op);
    }
    while (!ready_.empty()) {
      const auto [task, op] = ready_.front();
      ready_.pop_front();
      start(task, op);
    }
    return report();
  }

 private:
  /// What a receive matches on, and when: of equal ones the first comes first.
  using Key = std::tuple<u32, u32, u32, u64>;  // source, tag, communicator, turn

  struct Task {
    TaskGraph graph;
    std::map<Key, u64> messages;   ///< that no receive has taken: their bytes
    std::map<Key, u32> receives;   ///< that wait and know from whom what comes
    std::map<u64, u32> wildcards;  ///< those that do not, by their turns
    std::set<u32> probes;          ///< that wait
  };

  static bool fits(const GraphOp& op, const Key& message) {
    return (op.peer == GraphOp::any || op.peer == std::get<0>(message)) &&
           (op.tag == GraphOp::any || op.tag == std::get<1>(message)) && op.communicator == std::get<2>(message);
  }
  static bool same(const Key& a, const Key& b) {
    return std::get<0>(a) == std::get<0>(b) && std::get<1>(a) == std::get<1>(b) && std::get<2>(a) == std::get<2>(b);
  }
  static bool exact(const GraphOp& op) { return op.peer != GraphOp::any && op.tag != GraphOp::any; }

  void start(u32 task, u32 number) {
    Task& t = tasks_[task];
    const GraphOp& op = t.graph.ops[number];
    for (const u32 dependent : t.graph.on_start(number)) release(task, dependent);
    switch (op.kind) {
      case GraphOp::Kind::receive:
        return post(task, number);
      case GraphOp::Kind::probe:
        if (first_message(t, op) == t.messages.end()) {
          t.probes.insert(number);
          return;
        }
        break;
      case GraphOp::Kind::send:
        WEFT_ASSERT(op.peer < tasks_.size());
        ++result_.messages;
        arrive(op.peer, {task, op.tag, op.communicator, turn_++}, op.amount);
        break;
      case GraphOp::Kind::compute:
      case GraphOp::Kind::join:
      case GraphOp::Kind::until:
      case GraphOp::Kind::pause:
      case GraphOp::Kind::meet:
        break;
    }
    complete(task, number);
  }

  void complete(u32 task, u32 number) {
    for (const u32 dependent : tasks_[task].graph.on_completion(number)) release(task, dependent);
  }

  void release(u32 task, u32 number) {
    GraphOp& op = tasks_[task].graph.ops[number];
    if (op.missing > 0 && --op.missing == 0) ready_.emplace_back(task, number);
  }

  /// The message that arrived first of those that fit.
  std::map<Key, u64>::iterator first_message(Task& task, const GraphOp& op) {
    if (exact(op)) {
      const auto found = task.messages.lower_bound({op.peer, op.tag, op.communicator, 0});
      return found != task.messages.end() && fits(op, found->first) ? found : task.messages.end();
    }
    auto first = task.messages.end();
    for (auto each = task.messages.begin(); each != task.messages.end(); ++each) {
      if (!fits(op, each->first)) continue;
      if (first == task.messages.end() || std::get<3>(each->first) < std::get<3>(first->first)) first = each;
    }
    return first;
  }

  void post(u32 task, u32 number) {
    Task& t = tasks_[task];
    const GraphOp& op = t.graph.ops[number];
    if (const auto message = first_message(t, op); message != t.messages.end()) {
      t.messages.erase(message);
      return complete(task, number);
    }
    if (exact(op)) {
      t.receives.emplace(Key{op.peer, op.tag, op.communicator, turn_++}, number);
    } else {
      t.wildcards.emplace(turn_++, number);
    }
  }

  /// To the receive posted first of those that fit.
  void arrive(u32 task, const Key& message, u64 bytes) {
    Task& t = tasks_[task];
    const auto known = t.receives.lower_bound({std::get<0>(message), std::get<1>(message), std::get<2>(message), 0});
    const bool knows = known != t.receives.end() && same(known->first, message);
    const auto any =
        std::ranges::find_if(t.wildcards, [&](const auto& each) { return fits(t.graph.ops[each.second], message); });
    if (any != t.wildcards.end() && (!knows || any->first < std::get<3>(known->first))) {
      const u32 number = any->second;
      t.wildcards.erase(any);
      return complete(task, number);
    }
    if (knows) {
      const u32 number = known->second;
      t.receives.erase(known);
      return complete(task, number);
    }
    t.messages.emplace(message, bytes);
    for (auto probe = t.probes.begin(); probe != t.probes.end();) {
      const u32 number = *probe;
      ++probe;
      if (!fits(t.graph.ops[number], message)) continue;
      t.probes.erase(number);
      complete(task, number);
    }
  }

  TraceCheck report() {
    for (u32 task = 0; task < tasks_.size(); ++task) {
      const Task& t = tasks_[task];
      u32 first = GraphOp::any;
      for (const auto& [key, number] : t.receives) first = std::min(first, number);
      for (const auto& [turn, number] : t.wildcards) first = std::min(first, number);
      if (!t.probes.empty()) first = std::min(first, *t.probes.begin());
      if (first != GraphOp::any) {
        const GraphOp& op = t.graph.ops[first];
        result_.stuck.push_back({task, u64{first} + 1, op.line, op.peer, op.tag, op.amount, op.communicator});
      }
      result_.left_over += t.messages.size();
      std::map<Key, u64> equal;  // with bytes in place of the turn: how many
      for (const auto& [key, bytes] : t.messages)
        ++equal[{std::get<0>(key), std::get<1>(key), std::get<2>(key), bytes}];
      for (const auto& [key, count] : equal) {
        if (result_.left_over_examples.size() == most_left_over_graph_messages) break;
        const auto& [from, tag, communicator, bytes] = key;
        result_.left_over_examples.push_back({from, task, tag, bytes, count, communicator});
      }
    }
    return std::move(result_);
  }

  const Program& program_;
  std::vector<Task> tasks_;
  std::deque<std::pair<u32, u32>> ready_;  ///< task, operation
  u64 turn_ = 0;                           ///< of the next message or receive
  TraceCheck result_;
};

}  // namespace

TraceCheck check_graphs(const Program& program) { return GraphReplay(program).run(); }

}  // namespace weft::workloads
