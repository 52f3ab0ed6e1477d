// What is made of the ranks that MPI was started for: parts for several runs, threads, communicators for libraries.
#pragma once

#include <memory>

#include "engine/transport.hpp"

namespace weft::engine {

/// The ranks of `whole` that name the same part, in the order of their ranks, as a transport of their own. Collective
/// over `whole`, which must outlive its parts.
[[nodiscard]] std::unique_ptr<Transport> part_of(Transport& whole, u32 part);

/// What thread `thread` of `threads` in each process of `whole` needs to send batches to the threads of other processes
/// and to receive theirs: of it only post, advance, receive, complete_sends and the times may be used. Threads may do
/// so at once. Collective over the threads and processes. Throws SystemError if MPI was not started for threads.
[[nodiscard]] std::unique_ptr<Transport> thread_of(Transport& whole, u32 thread, u32 threads);

/// MPI's number of the communicator behind a transport, for MPI_Comm_f2c: libraries that want one (HDF5) do not know
/// Transport. Of several ranks only: throws Bug where MPI was not started.
[[nodiscard]] int communicator_number(const Transport& transport);

}  // namespace weft::engine
