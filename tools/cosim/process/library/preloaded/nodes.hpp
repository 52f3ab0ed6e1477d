// Which processes are on one node: the simulated network says so, not this machine, on which they all are.
#pragma once

#include "tools/cosim/process/library/preloaded/real_functions.hpp"

namespace weft::tools::cosim {

/// In place of MPI's own function.
int split_by_node(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* made);

}  // namespace weft::tools::cosim
