// Calls of MPI pass through here: they say when a program begins to compute and ends, and what it has called. C, and
// Fortran by all three interfaces, whose functions call those of C named PMPI.
#include "tools/cosim/process/calls.hpp"

#include <cstdio>

#include "tools/cosim/process/library/hooks.hpp"
#include "tools/cosim/process/library/preloaded/nodes.hpp"
#include "tools/cosim/process/library/preloaded/real_functions.hpp"

const weft::tools::cosim::Hooks* weft_cosim_hooks = nullptr;

namespace weft::tools::cosim {
namespace {

/// What carries out a call; most are MPI's own function.
template <MpiCall Number, class Function>
Function* function_behind() {
  if constexpr (Number == MpiCall::Comm_split_type) return split_by_node;
  char name[64];
  std::snprintf(name, sizeof name, "P%s", call_names[static_cast<unsigned>(Number)]);
  return real<Function>(name);
}

/// Around one function of MPI.
template <MpiCall Number, class Function>
struct Passage;
template <MpiCall Number, class... Arguments>
struct Passage<Number, int(Arguments...)> {
  static int pass(Arguments... arguments) {
    static int (*real_one)(Arguments...) = nullptr;
    if (real_one == nullptr) real_one = function_behind<Number, int(Arguments...)>();
    const Hooks* const hooks = weft_cosim_hooks;
    if (hooks == nullptr) return real_one(arguments...);
    constexpr bool looks = Number == MpiCall::Request_get_status;
    hooks->enter(static_cast<unsigned>(Number));
    if (looks) hooks->poll(true);
    const int result = real_one(arguments...);
    if (looks) hooks->poll(false);
    hooks->leave();
    return result;
  }
};
}  // namespace
}  // namespace weft::tools::cosim

using namespace weft::tools::cosim;

// The functions that have the names of MPI's are found when this library is loaded, from the types in mpi.h.
#define WEFT_PASSAGE(name)                                                               \
  extern "C" [[gnu::used]] decltype(&MPI_##name) weft_find_##name() {                    \
    return &Passage<MpiCall::name, decltype(MPI_##name)>::pass;                          \
  }                                                                                      \
  extern "C" decltype(MPI_##name) MPI_##name __attribute__((ifunc("weft_find_" #name))); \
  extern "C" decltype(MPI_##name) PMPI_##name __attribute__((ifunc("weft_find_" #name)));
WEFT_MPI_CALLS(WEFT_PASSAGE)
