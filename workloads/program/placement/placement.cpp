// Tasks on the nodes of an order, and whether there are enough.
#include "workloads/program/placement/placement.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"

namespace weft::workloads {
namespace {

/// Task i on the i / tasks_per_node-th node.
template <class NodeAt>
Placement fill(NodeAt&& node_at, u32 tasks, u32 tasks_per_node) {
  Placement result;
  result.node_of_task.reserve(tasks);
  for (u32 task = 0; task < tasks; ++task) result.node_of_task.push_back(node_at(task / tasks_per_node));
  return result;
}

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
  check_tasks_fit(tasks, nodes, tasks_per_node);
  return fill([](u32 place) { return NodeId(place); }, tasks, tasks_per_node);
}

Placement in_order(const std::vector<NodeId>& order, u32 tasks, u32 tasks_per_node) {
  check_tasks_fit(tasks, static_cast<u32>(order.size()), tasks_per_node);
  return fill([&order](u32 place) { return order[place]; }, tasks, tasks_per_node);
}

}  // namespace weft::workloads
