// Several runs at once, or one after the other, in processes that MPI was started for once.
#pragma once

#include <memory>

#include "engine/transport.hpp"

namespace weft::engine {

/// The ranks of `whole` that name the same part, in the order of their ranks, as a transport of their own. Collective
/// over `whole`, which must outlive its parts.
[[nodiscard]] std::unique_ptr<Transport> part_of(Transport& whole, u32 part);

/// MPI's number of the communicator behind a transport, for MPI_Comm_f2c: libraries that want one (HDF5) do not know
/// Transport. Of several ranks only: throws Bug where MPI was not started.
[[nodiscard]] int communicator_number(const Transport& transport);

}  // namespace weft::engine
