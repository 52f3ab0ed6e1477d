// Finds the MPI library that this process has loaded.
#include "tools/tracer/library.hpp"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

namespace weft::tracer {

Handles handles;

namespace {

void* loaded(const char* object) { return dlopen(object, RTLD_LAZY | RTLD_NOLOAD); }

/// What is looked up with a handle comes from there or from what it needs, not from what was preloaded.
void* library() {
  static std::atomic<void*> kept;
  void* found = kept.load(std::memory_order_relaxed);
  if (found != nullptr) return found;
#ifdef OPEN_MPI
  found = loaded("libmpi.so.40");
#else
  for (const char* name : {"libmpich.so.12", "libmpi.so.12"}) {
    if (found == nullptr) found = loaded(name);
  }
#endif
  kept.store(found, std::memory_order_relaxed);
  return found;
}

}  // namespace

void* symbol_of(const char* object, const char* name) {
  void* const from = loaded(object);
  return from == nullptr ? nullptr : dlsym(from, name);
}

void* real_symbol(const char* name) {
  void* symbol = library() == nullptr ? nullptr : dlsym(library(), name);
  if (symbol == nullptr) symbol = dlsym(RTLD_NEXT, name);
  if (symbol != nullptr) return symbol;
  std::fprintf(stderr,
               "weft tracer: the MPI library of this program has no %s (the tracer is built for "
#ifdef OPEN_MPI
               "Open MPI); use weft trace record --library mpich\n",
#else
               "MPICH); use weft trace record --library openmpi\n",
#endif
               name);
  std::_Exit(5);
}

void find_handles() {
#ifdef OPEN_MPI
  // A program may have copies of the library's variables, which all use then: those that it is linked to.
  const auto find = [](auto& handle, const char* name) {
    void* symbol = dlsym(RTLD_DEFAULT, name);
    if (symbol == nullptr) symbol = real_symbol(name);
    handle = static_cast<std::remove_reference_t<decltype(handle)>>(symbol);
  };
  find(handles.world, "ompi_mpi_comm_world");
  find(handles.self, "ompi_mpi_comm_self");
  find(handles.no_comm, "ompi_mpi_comm_null");
  find(handles.no_group, "ompi_mpi_group_null");
  find(handles.no_request, "ompi_request_null");
  find(handles.byte, "ompi_mpi_byte");
  find(handles.integer, "ompi_mpi_int");
  find(handles.minimum, "ompi_mpi_op_min");
#else
  handles = {MPI_COMM_WORLD,   MPI_COMM_SELF, MPI_COMM_NULL, MPI_GROUP_NULL,
             MPI_REQUEST_NULL, MPI_BYTE,      MPI_INT,       MPI_MIN};
#endif
}

}  // namespace weft::tracer
