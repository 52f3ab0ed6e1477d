// What the preloaded library, which stands before MPI, asks of the messaging component, which stands behind it. Most
// processes that the library is loaded into (shells) have no component.
#pragma once

#include <cstdint>

namespace weft::tools::cosim {

struct Hooks {
  void (*enter)(unsigned call);  ///< the program has called that
  void (*leave)();
  std::uint64_t (*now_ps)();  ///< simulated time
  void (*finish)();           ///< the program has called MPI_Finalize
  void (*abort)(int code);    ///< and MPI_Abort
  void (*refuse)(const char* what);
  void (*poll)(bool begins);  ///< a call looks at a request and does not wait
  unsigned (*node)();         ///< of the simulated network, from 0, at which the process is; waits until that is known
};

}  // namespace weft::tools::cosim

/// Hooks of the preloaded library; null until MPI_Init.
extern "C" const weft::tools::cosim::Hooks* weft_cosim_hooks;
