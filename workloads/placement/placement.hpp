// Placement: which node of the network each task of an application runs on.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/types.hpp"

namespace weft::workloads {

/// A node hosts at most one task.
struct Placement {
  std::vector<NodeId> node_of_task;  ///< [task]
};

/// Task i on node i. Throws ConfigError if there are more tasks than nodes.
[[nodiscard]] Placement consecutive(u32 tasks, u32 nodes);

/// Reads a placement file: a line per task, `node task instance`, separated by blanks, tabs or any of _ , . : - > ; the
/// instance (the number of the application) may be left out and is 0 then; # starts a comment. Lines of other instances
/// than `instance` only occupy their node. Throws InputError with file and line if a number is malformed or out of
/// range, a task or a node comes twice, or a task is missing; ConfigError if there are more tasks than nodes;
/// SystemError for a read error.
[[nodiscard]] Placement from_file(const std::string& path, u32 tasks, u32 nodes, u32 instance = 0);

/// The same from the text of the file; `name` stands for it in errors.
[[nodiscard]] Placement read_placement(std::string_view text, const std::string& name, u32 tasks, u32 nodes,
                                       u32 instance = 0);

}  // namespace weft::workloads
