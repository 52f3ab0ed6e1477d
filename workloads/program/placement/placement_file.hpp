// Placement files: a line names the node of a task.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "workloads/program/placement/placement.hpp"

namespace weft::workloads {

/// Reads a placement file: a line per task, `node task instance`, separated by blanks, tabs or any of _ , . : - > ; the
/// instance (the number of the application) may be left out and is 0 then; # starts a comment. Lines of other instances
/// than `instance` only occupy a place of their node. Throws InputError with file and line if a number is malformed or
/// out of range, a task comes twice, a node more than tasks_per_node times, or a task is missing; ConfigError if there
/// are more tasks than places; SystemError for a read error.
[[nodiscard]] Placement from_file(const std::string& path, u32 tasks, u32 nodes, u32 tasks_per_node = 1,
                                  u32 instance = 0);

/// Reads a placement from the text of a file; `name` stands for it in errors.
[[nodiscard]] Placement read_placement(std::string_view text, const std::string& name, u32 tasks, u32 nodes,
                                       u32 tasks_per_node = 1, u32 instance = 0);

/// Reads the placement of one of several jobs, from lines `node task job`: job is the name of one of `jobs`, or its
/// number there; without it, the first is meant. (A single job without a name is read as by from_file.) A node may host
/// tasks of several jobs if the file says so, in all as many as the job with the most tasks_per_node has. Throws what
/// from_file does, and InputError for a job that there is not, with the nearest name.
[[nodiscard]] FilePlacement job_from_file(const std::string& path, std::span<const JobTasks> jobs, u32 job, u32 nodes);
/// Reads the placement of one of several jobs from the text of the file; `name` stands for it in errors.
[[nodiscard]] FilePlacement read_job_placement(std::string_view text, const std::string& name,
                                               std::span<const JobTasks> jobs, u32 job, u32 nodes);

}  // namespace weft::workloads
