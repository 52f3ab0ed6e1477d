// Placement: which node of the network each task of an application runs on. Policies say the order of the nodes
// (policy.hpp), or a file names a node for each task (placement_file.hpp); several jobs share the nodes
// (job_placement.hpp).
#pragma once

#include <string>
#include <vector>

#include "engine/base/types.hpp"

namespace weft::workloads {

/// Most tasks of a node.
inline constexpr u32 most_tasks_per_node = 64;

/// A node hosts as many tasks as it has places.
struct Placement {
  std::vector<NodeId> node_of_task;  ///< [task]
};

/// One of several jobs, as placements see it.
struct JobTasks {
  std::string name;
  u32 tasks = 0;
  u32 tasks_per_node = 1;
};

/// Where a file places the tasks of a job, and which line says so.
struct FilePlacement {
  std::string file;
  Placement placement;
  std::vector<u64> line_of_task;  ///< [task]
};

/// [task]: its place among the tasks of its node, which are in the order of their numbers.
[[nodiscard]] std::vector<u8> slots_of(const Placement& placement);

/// Throws ConfigError if there are more tasks than places on the nodes.
void check_tasks_fit(u32 tasks, u32 nodes, u32 tasks_per_node);

/// Tasks fill node after node: task i on node i / tasks_per_node. Throws as check_tasks_fit.
[[nodiscard]] Placement consecutive(u32 tasks, u32 nodes, u32 tasks_per_node = 1);

/// Tasks fill node after node of an order. Throws as check_tasks_fit.
[[nodiscard]] Placement in_order(const std::vector<NodeId>& order, u32 tasks, u32 tasks_per_node = 1);

}  // namespace weft::workloads
