// Ranks that are threads of one process: the same program, with memory in place of MPI between them.
#pragma once

#include "engine/transport.hpp"

namespace weft::engine {

/// What the threads are for.
class ThreadWork {
 public:
  virtual ~ThreadWork() = default;
  /// What one rank does.
  virtual void on_rank(Transport& rank) = 0;
  /// Ends the process: one rank has failed, whose exception is being handled, and others do not come back.
  virtual void stuck() = 0;
};

/// Calls work.on_rank on `threads` threads in each process of `whole`, the caller's being the first, and returns when
/// all have come back. Thread t of process p is rank p * threads + t. An exception leaves the others' next call that
/// waits, and then this function: of several, that of the lowest rank. If they do not come back within ten seconds,
/// work.stuck() is called. Throws SystemError if a thread cannot be started, or if `whole` has several processes and
/// MPI was not started for threads (see open_transport). With one thread, work.on_rank(whole).
void on_threads(Transport& whole, u32 threads, ThreadWork& work);

}  // namespace weft::engine
