// How much memory a process may still take, and who says so.
#pragma once

#include <functional>
#include <string>

#include "engine/base/types.hpp"

namespace weft {

/// The tightest of the limits that apply.
struct AvailableMemory {
  u64 bytes = 0;
  std::string said_by;  ///< "free memory", "cgroup limit", "SLURM_MEM_PER_NODE"...
};

/// Where the limits are looked up; replaced in tests.
struct MemorySources {
  std::string root;                                  ///< put before /proc and /sys
  std::function<const char*(const char*)> variable;  ///< std::getenv
};

/// Memory left on this machine for processes like this one, all together: free memory, the cgroups that this process is
/// in (version 2, and 1), and what SLURM has given the job on a node. What cannot be read does not limit.
[[nodiscard]] AvailableMemory available_memory();
[[nodiscard]] AvailableMemory available_memory(const MemorySources& sources);

}  // namespace weft
