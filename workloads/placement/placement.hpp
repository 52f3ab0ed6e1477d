// Placement: which node of the network each task of an application runs on.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/types.hpp"

namespace weft::workloads {

/// Most tasks of a node.
inline constexpr u32 most_tasks_per_node = 64;

/// A node hosts as many tasks as it has places.
struct Placement {
  std::vector<NodeId> node_of_task;  ///< [task]
};

/// [task]: its place among the tasks of its node, which are in the order of their numbers.
[[nodiscard]] std::vector<u8> slots_of(const Placement& placement);

/// Throws ConfigError if there are more tasks than places on the nodes.
void check_tasks_fit(u32 tasks, u32 nodes, u32 tasks_per_node);

/// Tasks fill node after node: task i on node i / tasks_per_node. Throws as check_tasks_fit.
[[nodiscard]] Placement consecutive(u32 tasks, u32 nodes, u32 tasks_per_node = 1);

/// The nodes in the order in which tasks fill them, a permutation: "consecutive", by number; "random", by draws of
/// `seed`; "round-robin", one of each group in turn, of networks with groups of `group_nodes` nodes (else ConfigError).
[[nodiscard]] std::vector<NodeId> fill_order(std::string_view policy, u32 nodes, u64 seed, u32 group_nodes);
/// Tasks fill node after node of an order. Throws as check_tasks_fit.
[[nodiscard]] Placement in_order(const std::vector<NodeId>& order, u32 tasks, u32 tasks_per_node = 1);

/// Reads a placement file: a line per task, `node task instance`, separated by blanks, tabs or any of _ , . : - > ; the
/// instance (the number of the application) may be left out and is 0 then; # starts a comment. Lines of other instances
/// than `instance` only occupy a place of their node. Throws InputError with file and line if a number is malformed or
/// out of range, a task comes twice, a node more than tasks_per_node times, or a task is missing; ConfigError if there
/// are more tasks than places; SystemError for a read error.
[[nodiscard]] Placement from_file(const std::string& path, u32 tasks, u32 nodes, u32 tasks_per_node = 1,
                                  u32 instance = 0);

/// The same from the text of the file; `name` stands for it in errors.
[[nodiscard]] Placement read_placement(std::string_view text, const std::string& name, u32 tasks, u32 nodes,
                                       u32 tasks_per_node = 1, u32 instance = 0);

}  // namespace weft::workloads
