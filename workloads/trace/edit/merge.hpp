// Several traces as one, side by side: each keeps to its own tasks.
#pragma once

#include <memory>
#include <vector>

#include "workloads/trace/store/trace_store.hpp"

namespace weft::workloads {

/// Tasks of each trace follow those of the one before, and all of its tasks are a communicator of their own. All begin
/// at once. If some have times, those without get them: their computing takes as long as it says, calls take none.
/// Throws ConfigError if there are too many tasks, or if some match messages as INSEE does and others as MPI;
/// SystemError (disk).
[[nodiscard]] std::shared_ptr<const TraceStore> merge_traces(
    const std::vector<std::shared_ptr<const TraceStore>>& traces);

}  // namespace weft::workloads
