// Time, the end of programs, and what processes under weft do not have.
#include "tools/cosim/process/calls.hpp"
#include "tools/cosim/process/library/hooks.hpp"
#include "tools/cosim/process/library/preloaded/real_functions.hpp"

using namespace weft::tools::cosim;

extern "C" double MPI_Wtime() {
  if (weft_cosim_hooks != nullptr) return static_cast<double>(weft_cosim_hooks->now_ps()) * 1e-12;
  return real<decltype(MPI_Wtime)>("PMPI_Wtime")();
}
extern "C" decltype(MPI_Wtime) PMPI_Wtime __attribute__((alias("MPI_Wtime")));

extern "C" int MPI_Finalize() {
  if (weft_cosim_hooks != nullptr) weft_cosim_hooks->finish();
  return real<decltype(MPI_Finalize)>("PMPI_Finalize")();
}
extern "C" decltype(MPI_Finalize) PMPI_Finalize __attribute__((alias("MPI_Finalize")));

/// MPI_Abort, in whatever language it is called, and errors of MPI that nobody handles.
extern "C" int ompi_mpi_abort(void* comm, int code) {
  if (weft_cosim_hooks != nullptr) weft_cosim_hooks->abort(code);
  return real<decltype(ompi_mpi_abort)>("ompi_mpi_abort")(comm, code);
}

// Open MPI's own functions behind what is not supported, in whatever language it is called.
#define WEFT_REFUSED(function, what)                                 \
  extern "C" int function() {                                        \
    if (weft_cosim_hooks != nullptr) weft_cosim_hooks->refuse(what); \
    return MPI_ERR_UNSUPPORTED_OPERATION;                            \
  }
WEFT_REFUSED(ompi_win_create, "one-sided communication (MPI_Win_create)")
WEFT_REFUSED(ompi_win_allocate, "one-sided communication (MPI_Win_allocate)")
WEFT_REFUSED(ompi_win_allocate_shared, "memory shared between processes (MPI_Win_allocate_shared)")
WEFT_REFUSED(ompi_win_create_dynamic, "one-sided communication (MPI_Win_create_dynamic)")
WEFT_REFUSED(ompi_file_open, "files of MPI (MPI_File_open)")
WEFT_REFUSED(ompi_dpm_spawn, "more processes (MPI_Comm_spawn)")
WEFT_REFUSED(ompi_dpm_connect_accept, "other programs (MPI_Comm_connect, MPI_Comm_accept, MPI_Comm_join)")
