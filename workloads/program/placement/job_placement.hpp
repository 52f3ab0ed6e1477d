// Placements of several jobs, which share the nodes of a network.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "workloads/program/placement/policy.hpp"

namespace weft::workloads {

/// One of several jobs, and where its policy would have it.
struct JobPlacement {
  JobTasks job;
  std::vector<NodeId> order = {};  ///< as its policy has the nodes; empty: a file names the node of each task
  FilePlacement file = {};         ///< if there is no order
  /// In place of both: where its tasks are among the nodes that are free when its turn comes.
  std::function<Placement(std::span<const NodeId> free)> among_free = {};
};

/// What the policy of a job says of it. Throws what that throws.
[[nodiscard]] JobPlacement policy_of_job(const std::string& policy, const PlacementSpec& spec,
                                         std::span<const JobTasks> jobs, u32 job);

/// [job]: its placement. Jobs are placed in their order: each fills the first nodes of its own order that no job before
/// has taken, a node with as many tasks as the job's tasks_per_node. A node hosts tasks of one job, unless one file
/// names it for tasks of several. Throws ConfigError for a job that does not find enough nodes, with how many it needs
/// and how many are left, and InputError for a file that names a node which a job before has taken, with both places.
[[nodiscard]] std::vector<Placement> place_jobs(std::span<const JobPlacement> jobs, u32 nodes);

}  // namespace weft::workloads
