// Looks functions of the MPI library up; see the header.
#include "tools/cosim/process/library/preloaded/real_functions.hpp"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

namespace weft::tools::cosim {

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

}  // namespace weft::tools::cosim
