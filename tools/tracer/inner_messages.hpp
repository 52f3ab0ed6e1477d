// Messages that the MPI library sends by itself, inside of collective calls: where they are seen differs between
// libraries (openmpi_messages.cpp, mpich_messages.cpp).
#pragma once

#include "tools/tracer/library.hpp"
#include "tools/tracer/recorder.hpp"

namespace weft::tracer {

/// After MPI_Init, by all ranks. Whether messages will be seen, on all of them. `version`: of the library.
bool see_inner_messages(int rank, int ranks, const char* version);
/// As it was, before MPI_Finalize.
void see_no_inner_messages();
/// What waited for the next message of the call is recorded; there is none.
void end_of_inner_messages(Thread& thread);

/// Records that are inside of a call. `communicator`: number * 2, + 1 where the peer is a rank of MPI_COMM_WORLD.
inline void inner_message(Thread& thread, Kind kind, std::uint64_t begin, std::uint64_t communicator, int peer, int tag,
                          std::uint64_t bytes) {
  std::uint8_t* to = put_head(thread, thread.at, kind, records::inner, begin);
  to = put_duration(thread, to, 0, kind == Kind::receive ? thread.tick() : begin);
  end_record(thread, put_message(to, communicator, peer, tag, bytes));
}

}  // namespace weft::tracer
