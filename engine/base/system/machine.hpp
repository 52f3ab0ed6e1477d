// What the machine under a program tells: its clock, its name, what this process has used of it.
#pragma once

#include <string>

#include "engine/base/types.hpp"

namespace weft {

/// Seconds of a clock that only goes forward.
[[nodiscard]] double wall_s();
/// User CPU seconds of this thread.
[[nodiscard]] double user_cpu_s();
/// Resident set of this process in bytes.
[[nodiscard]] u64 resident_bytes();
/// Name of this host, or "unknown".
[[nodiscard]] std::string host_name();

}  // namespace weft
