// Traces into stores: parts of the source are shared out over processes and threads, each of which sorts its own.
#pragma once

#include <optional>

#include "workloads/trace/store/trace_store.hpp"

namespace weft::workloads {

/// What the files of a trace are now; nothing if one of them is no regular file (a pipe can be read but once). Throws
/// InputError if one cannot be read.
[[nodiscard]] std::optional<TraceIdentity> identity_of(const std::vector<std::string>& files);

/// Reads the parts whose number is `share` modulo `shares` and sorts them into `file`, number `share`.
[[nodiscard]] StoreIndex import_share(const TraceSource& source, u32 share, u32 shares, StoreFile& file,
                                      const KeepTask& keep, const ImportWatch& watch);

/// The index of all shares, in order of their numbers.
[[nodiscard]] StoreIndex merged(std::vector<StoreIndex> shares);

}  // namespace weft::workloads
