// Numbers of communicators: each is defined, with its members, when it is made or first seen.
#pragma once

#include "tools/tracer/library.hpp"

namespace weft::tracer {

/// Before any other: MPI_COMM_WORLD and MPI_COMM_SELF.
void begin_communicators();
/// The number of a communicator; one that the program has not made itself is defined on the way. No locks for those
/// that are known.
std::uint32_t number_of(MPI_Comm communicator);
/// One that the program has made: all its members define those of the same members in the same order.
void made(MPI_Comm communicator);
/// Its handle may come to mean another.
void freed(MPI_Comm communicator);

}  // namespace weft::tracer
