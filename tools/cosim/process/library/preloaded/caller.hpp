// Who calls: the program, or the MPI library and what it is made of.
#pragma once

namespace weft::tools::cosim {

/// Whether code at this address is the program's; looked up once for each place.
[[nodiscard]] bool is_of_the_program(const void* caller);

}  // namespace weft::tools::cosim
