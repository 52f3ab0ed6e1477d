// The MPI library underneath: its own functions behind those that the tracer takes the place of, and its handles.
//
// Nothing of the library is linked: the tracer is preloaded into every process that a launcher starts, and most of
// these (shells) have no MPI. What it needs is looked up when MPI_Init has been called.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <mpi.h>

namespace weft::tracer {

/// A function or variable of the library, never the tracer's own; ends the process if there is none.
void* real_symbol(const char* name);
/// A function or variable of another shared object that is loaded; null if it is not there.
void* symbol_of(const char* object, const char* name);

/// What MPI_COMM_WORLD and the like stand for.
struct Handles {
  MPI_Comm world, self, no_comm;
  MPI_Group no_group;
  MPI_Request no_request;
  MPI_Datatype byte, integer;
  MPI_Op minimum;
};
extern Handles handles;
void find_handles();

/// `Function` of the library, looked up once.
template <class Function>
Function real_function(std::atomic<Function>& kept, const char* name) {
  Function function = kept.load(std::memory_order_relaxed);
  if (function == nullptr) {
    function = reinterpret_cast<Function>(real_symbol(name));
    kept.store(function, std::memory_order_relaxed);
  }
  return function;
}
#define WEFT_REAL(name)                                        \
  ([] {                                                        \
    static std::atomic<decltype(&MPI_##name)> kept;            \
    return ::weft::tracer::real_function(kept, "PMPI_" #name); \
  }())

/// A handle as a number: pointers in Open MPI, integers in MPICH.
template <class Handle>
std::uint64_t bits_of(Handle handle) {
  static_assert(sizeof(Handle) == 4 || sizeof(Handle) == 8);
  std::uint64_t bits = 0;
  std::memcpy(&bits, &handle, sizeof handle);
  return bits;
}

/// Bytes of the message that a status tells of.
inline std::uint64_t bytes_of(const MPI_Status& status) {
#ifdef OPEN_MPI
  return status._ucount;
#else
  return static_cast<std::uint64_t>(static_cast<unsigned>(status.count_hi_and_cancelled) >> 1) << 32 |
         static_cast<unsigned>(status.count_lo);
#endif
}

/// Whether it is that of a request that MPI_Cancel has ended.
inline bool is_cancelled(const MPI_Status& status) {
#ifdef OPEN_MPI
  return status._cancelled != 0;
#else
  return (status.count_hi_and_cancelled & 1) != 0;
#endif
}

inline std::uint64_t size_of(MPI_Datatype type) {
  MPI_Count size = 0;
  WEFT_REAL(Type_size_x)(type, &size);
  return size < 0 ? 0 : static_cast<std::uint64_t>(size);
}
inline std::uint64_t bytes_of(int count, MPI_Datatype type) {
  return count <= 0 ? 0 : static_cast<std::uint64_t>(count) * size_of(type);
}

/// Defines PMPI_name as well: Open MPI's Fortran bindings, MPICH's and other tools call that.
#define WEFT_ALSO_AS_PMPI(name) extern "C" decltype(MPI_##name) PMPI_##name __attribute__((alias("MPI_" #name)));

}  // namespace weft::tracer
