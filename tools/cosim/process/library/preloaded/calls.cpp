// Calls of MPI pass through here: they say when a program begins to compute and ends, and what it has called. C, and
// Fortran by all three interfaces, whose functions call those of C named PMPI.
#include "tools/cosim/process/calls.hpp"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <mpi.h>

#include "tools/cosim/process/library/hooks.hpp"

const weft::tools::cosim::Hooks* weft_cosim_hooks = nullptr;

namespace weft::tools::cosim {
namespace {

/// MPI's own function.
void* real_function(const char* name) {
  void* function = ::dlsym(RTLD_NEXT, name);
  if (function == nullptr) {
    // Loaded by an interpreter, for itself.
    void* const library = ::dlopen("libmpi.so.40", RTLD_LAZY | RTLD_NOLOAD);
    if (library != nullptr) function = ::dlsym(library, name);
  }
  if (function == nullptr) {
    std::fprintf(stderr, "weft: error: the MPI library has no %s\n", name);
    std::abort();
  }
  return function;
}

/// Around one function of MPI.
template <MpiCall Number, class Function>
struct Passage;
template <MpiCall Number, class... Arguments>
struct Passage<Number, int(Arguments...)> {
  static int pass(Arguments... arguments) {
    static int (*real)(Arguments...) = nullptr;
    if (real == nullptr) {
      char name[64];
      std::snprintf(name, sizeof name, "P%s", call_names[static_cast<unsigned>(Number)]);
      real = reinterpret_cast<int (*)(Arguments...)>(real_function(name));
    }
    const Hooks* const hooks = weft_cosim_hooks;
    if (hooks == nullptr) return real(arguments...);
    constexpr bool looks = Number == MpiCall::Request_get_status;
    hooks->enter(static_cast<unsigned>(Number));
    if (looks) hooks->poll(true);
    const int result = real(arguments...);
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
