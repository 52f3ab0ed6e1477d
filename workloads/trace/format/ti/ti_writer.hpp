// Writer of SimGrid's time-independent traces.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "workloads/trace/store/trace_store.hpp"

namespace weft::workloads {

/// Makes the folder `path` with a file rank-N.txt for each task and index.txt, which names them. What lies between
/// calls is computation, a nanosecond a flop; sizes are in MPI_BYTE. Receives from any task get the partner that their
/// wait tells. Collective calls of some tasks only are written as the messages that carry them. Returns what was left
/// out. Throws SystemError.
[[nodiscard]] std::vector<std::string> write_ti(const std::shared_ptr<const TraceStore>& store,
                                                const std::string& path);

}  // namespace weft::workloads
