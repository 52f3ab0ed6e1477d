// Placement files that list hosts by their names, as the tools of a cluster write them: node[001-008,010].
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "workloads/program/placement/policy.hpp"

namespace weft::workloads {

/// The nodes that the file lists; nothing where its first word is a number, and so of a line `node task`. Throws
/// InputError for names in a network whose nodes have none, and what spec.nodes_named throws.
[[nodiscard]] std::optional<std::vector<NamedNode>> listed_hosts(const std::string& path, const PlacementSpec& spec);

/// Tasks fill the hosts in their order, a host with as many as the job's tasks_per_node. Throws InputError if there are
/// too few hosts.
[[nodiscard]] FilePlacement job_on_hosts(const std::string& path, const std::vector<NamedNode>& hosts,
                                         const JobTasks& job);

/// The hosts, and behind them all other nodes.
[[nodiscard]] std::vector<NodeId> order_of_hosts(const std::vector<NamedNode>& hosts, u32 nodes);

}  // namespace weft::workloads
