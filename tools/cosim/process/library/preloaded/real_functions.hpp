// The MPI library behind this one: its types, and its functions by name.
#pragma once

#include <mpi.h>

namespace weft::tools::cosim {

/// MPI's own function. Ends the process if the library has none of that name.
[[nodiscard]] void* real_function(const char* name);

/// MPI's own function, with the type of the function that stands before it.
template <class Function>
[[nodiscard]] Function* real(const char* name) {
  return reinterpret_cast<Function*>(real_function(name));
}

}  // namespace weft::tools::cosim
