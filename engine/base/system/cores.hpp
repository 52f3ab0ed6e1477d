// Processor cores that this process may use, so that studies know when ranks have to share them.
#pragma once

namespace weft {

/// The affinity mask, or less where a container's processor quota (cgroup v2) says so; at least 1.
[[nodiscard]] unsigned usable_cores();

}  // namespace weft
