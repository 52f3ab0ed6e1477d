// Writes stores of traces as OTF2 archives.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "workloads/trace/store/trace_store.hpp"

namespace weft::workloads::otf2 {

/// An archive "traces" in the folder `path`, which is made: location n is task n, a tick is a nanosecond. Of traces
/// without times computing makes the time, and calls take none. Returns what could not be written, each kind once.
/// Throws ConfigError (peers that are not in their communicator), SystemError.
[[nodiscard]] std::vector<std::string> write_archive(const std::shared_ptr<const TraceStore>& store,
                                                     const std::string& path);

}  // namespace weft::workloads::otf2
