// Ranks that are threads of one process: the same program, with memory in place of MPI between them.
#pragma once

#include <functional>

#include "engine/transport.hpp"

namespace weft::engine {

/// What to do about ranks that a failed one waits for in vain: called with its exception being handled; ends the
/// process.
using EndProcess = std::function<void()>;

/// Calls body(ranks) on `threads` threads in each process of `whole`, the caller's being the first, and returns when
/// all have come back. Thread t of process p is rank p * threads + t of `ranks`. An exception leaves the others' next
/// call that waits, and then this function: of several, that of the lowest rank. `stuck` is called if they do not come
/// back within ten seconds. Throws SystemError if a thread cannot be started, or if `whole` has several processes
/// and MPI was not started for threads (see open_transport). With one thread, body(whole).
void on_threads(Transport& whole, u32 threads, const std::function<void(Transport&)>& body, const EndProcess& stuck);

}  // namespace weft::engine
