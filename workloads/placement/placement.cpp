// Builds placements by rule or from a file, and refuses those that lose or double a task.
#include "workloads/placement/placement.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <optional>

#include "engine/error.hpp"
#include "engine/meaning.hpp"
#include "engine/random.hpp"
#include "engine/shown.hpp"
#include "engine/text_file.hpp"

namespace weft::workloads {
namespace {

constexpr std::string_view separators = " \t\r_,.:->;";

/// Text of the file quoted in an error.
std::string quoted(std::string_view text) { return fmt::format("\"{}\"", shown(text, 24)); }

/// Reads the lines of one placement file and keeps what it has seen so far.
class Reader {
 public:
  Reader(const std::string& name, u32 tasks, u32 nodes, u32 tasks_per_node, u32 instance)
      : name_(name),
        nodes_(nodes),
        tasks_per_node_(tasks_per_node),
        instance_(instance),
        result_{std::vector<NodeId>(tasks)},
        line_of_task_(tasks, 0),
        tasks_of_node_(nodes, 0),
        line_of_node_(nodes, 0) {}

  void line(std::string_view text) {
    ++line_;
    text = text.substr(0, text.find('#'));
    std::array<u32, 3> fields{};  // node, task, instance
    u32 count = 0;
    for (auto begin = text.find_first_not_of(separators); begin != std::string_view::npos;
         begin = text.find_first_not_of(separators)) {
      text.remove_prefix(begin);
      const std::string_view word = text.substr(0, text.find_first_of(separators));
      text.remove_prefix(word.size());
      if (count == fields.size()) fail("has more than three fields (expected: node task instance); remove the rest");
      fields[count++] = number(word);
    }
    if (count == 0) return;
    if (count == 1) fail("has one field (expected: node task instance); add the task");
    place(fields[0], fields[1], fields[2]);
  }

  Placement finish() const {
    u32 missing = 0;
    std::optional<std::size_t> first;
    for (std::size_t task = 0; task < result_.node_of_task.size(); ++task) {
      if (result_.node_of_task[task].valid()) continue;
      ++missing;
      if (!first) first = task;
    }
    if (first) {
      fail(fmt::format(
          "is the end and task {} has no node ({} of {} tasks of instance {} are missing); add a line for each", *first,
          missing, result_.node_of_task.size(), instance_));
    }
    return result_;
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const {
    throw InputError(fmt::format("{}:{}: line {}", shown(name_), line_, problem));
  }

  u32 number(std::string_view word) const {
    u32 value = 0;
    const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (status == std::errc::result_out_of_range) fail("holds " + quoted(word) + " (does not fit 32 bits); correct it");
    if (status != std::errc() || end != word.data() + word.size()) {
      fail("holds " + quoted(word) + " (not a whole number); correct it or put # before comments");
    }
    return value;
  }

  void place(u32 node, u32 task, u32 instance) {
    if (node >= nodes_) {
      fail(fmt::format("names node {} (the network has {} nodes, numbered from 0); correct it or use a larger topology",
                       node, nodes_));
    }
    if (tasks_of_node_[node] == tasks_per_node_) fail_node_is_full(node);
    ++tasks_of_node_[node];
    line_of_node_[node] = line_;
    if (instance != instance_) return;
    auto& places = result_.node_of_task;
    if (task >= places.size()) {
      fail(fmt::format("names task {} (the application has {} tasks, numbered from 0); correct it", task,
                       places.size()));
    }
    if (places[task].valid()) {
      fail(fmt::format("places task {} again (line {} placed it on node {}); remove one of them", task,
                       line_of_task_[task], places[task].value()));
    }
    line_of_task_[task] = line_;
    places[task] = NodeId(node);
  }

  [[noreturn]] void fail_node_is_full(u32 node) const {
    if (tasks_per_node_ == 1) {
      fail(
          fmt::format("places a second task on node {} (line {} placed the first, and a node hosts one task); choose "
                      "another node, or use workload.tasks_per_node = 2",
                      node, line_of_node_[node]));
    }
    fail(
        fmt::format("places one task too many on node {} (line {} placed the last of {}, workload.tasks_per_node); "
                    "choose another node{}",
                    node, line_of_node_[node], tasks_per_node_,
                    tasks_per_node_ < most_tasks_per_node ? ", or a larger workload.tasks_per_node" : ""));
  }

  std::string name_;
  u32 nodes_;
  u32 tasks_per_node_;
  u32 instance_;
  Placement result_;
  std::vector<u64> line_of_task_;  ///< [task]
  std::vector<u8> tasks_of_node_;  ///< [node], of all instances
  std::vector<u64> line_of_node_;  ///< [node] that placed the last of them
  u64 line_ = 0;
};

}  // namespace

std::vector<u8> slots_of(const Placement& placement) {
  u32 nodes = 0;
  for (const NodeId node : placement.node_of_task) nodes = std::max(nodes, node.value() + 1);
  std::vector<u8> taken(nodes, 0), slots;
  slots.reserve(placement.node_of_task.size());
  for (const NodeId node : placement.node_of_task) {
    WEFT_ASSERT(taken[node.value()] < most_tasks_per_node);
    slots.push_back(taken[node.value()]++);
  }
  return slots;
}

void check_tasks_fit(u32 tasks, u32 nodes, u32 tasks_per_node) {
  if (tasks <= u64{nodes} * tasks_per_node) return;
  const u64 needed_tasks = nodes == 0 ? tasks : (tasks + u64{nodes} - 1) / nodes;
  const u64 needed_nodes = (tasks + u64{tasks_per_node} - 1) / tasks_per_node;
  throw ConfigError(fmt::format(
      "cannot place {} tasks on {} nodes (workload.tasks_per_node = {}); use {}a topology of at least {} nodes", tasks,
      nodes, tasks_per_node,
      needed_tasks <= most_tasks_per_node ? fmt::format("tasks_per_node = {} or ", needed_tasks) : "", needed_nodes));
}

Placement consecutive(u32 tasks, u32 nodes, u32 tasks_per_node) {
  return in_order(fill_order("consecutive", nodes, 0, 0), tasks, tasks_per_node);
}

std::vector<NodeId> fill_order(std::string_view policy, u32 nodes, u64 seed, u32 group_nodes) {
  enum class Order : u8 { consecutive, random, round_robin };
  const Order by = meaning_of<Order>(
      std::string(policy),
      {{"consecutive", Order::consecutive}, {"random", Order::random}, {"round-robin", Order::round_robin}});
  std::vector<NodeId> order;
  order.reserve(nodes);
  if (by == Order::round_robin) {
    if (group_nodes == 0 || group_nodes >= nodes) {
      throw ConfigError(
          "placement.policy = \"round-robin\" is not possible (this network has no groups of nodes); use "
          "\"consecutive\" or \"random\"");
    }
    for (u32 k = 0; k < group_nodes; ++k) {
      for (u32 node = k; node < nodes; node += group_nodes) order.emplace_back(node);
    }
    return order;
  }
  for (u32 node = 0; node < nodes; ++node) order.emplace_back(node);
  if (by == Order::random) {
    for (u32 left = nodes; left > 1; --left) {
      const u64 bits = engine::random_bits(seed, 0, left, engine::Use::placement);
      std::swap(order[left - 1], order[engine::scale_to(bits, left)]);
    }
  }
  return order;
}

Placement in_order(const std::vector<NodeId>& order, u32 tasks, u32 tasks_per_node) {
  check_tasks_fit(tasks, static_cast<u32>(order.size()), tasks_per_node);
  Placement result;
  result.node_of_task.reserve(tasks);
  for (u32 task = 0; task < tasks; ++task) result.node_of_task.push_back(order[task / tasks_per_node]);
  return result;
}

Placement read_placement(std::string_view text, const std::string& name, u32 tasks, u32 nodes, u32 tasks_per_node,
                         u32 instance) {
  check_tasks_fit(tasks, nodes, tasks_per_node);
  Reader reader(name, tasks, nodes, tasks_per_node, instance);
  for_each_line(text, [&reader](std::string_view line) { reader.line(line); });
  return reader.finish();
}

Placement from_file(const std::string& path, u32 tasks, u32 nodes, u32 tasks_per_node, u32 instance) {
  check_tasks_fit(tasks, nodes, tasks_per_node);
  // Room for long comments; more is no placement on this network.
  const u64 most_bytes = (u64{4} << 20) + u64{128} * nodes * tasks_per_node;
  const std::string text = read_text_file<InputError>(path, most_bytes, "file of placement.path");
  return read_placement(text, path, tasks, nodes, tasks_per_node, instance);
}

}  // namespace weft::workloads
