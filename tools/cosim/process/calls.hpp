// Calls of MPI by which processes go on in simulated time: their numbers and names.
#pragma once

#include <cstddef>
#include <cstdint>

/// X(NAME) for each, without MPI_.
// clang-format off
#define WEFT_MPI_CALLS(X) \
  X(Send) X(Bsend) X(Ssend) X(Rsend) X(Recv) X(Isend) X(Ibsend) X(Issend) X(Irsend) X(Irecv) X(Sendrecv) \
  X(Sendrecv_replace) X(Probe) X(Iprobe) X(Mprobe) X(Improbe) X(Mrecv) X(Imrecv) X(Wait) X(Waitall) X(Waitany) \
  X(Waitsome) X(Test) X(Testall) X(Testany) X(Testsome) X(Start) X(Startall) X(Cancel) X(Request_get_status) \
  X(Barrier) X(Bcast) X(Gather) X(Gatherv) X(Scatter) X(Scatterv) X(Allgather) X(Allgatherv) X(Alltoall) \
  X(Alltoallv) X(Alltoallw) X(Reduce) X(Allreduce) X(Reduce_scatter) X(Reduce_scatter_block) X(Scan) X(Exscan) \
  X(Ibarrier) X(Ibcast) X(Igather) X(Igatherv) X(Iscatter) X(Iscatterv) X(Iallgather) X(Iallgatherv) X(Ialltoall) \
  X(Ialltoallv) X(Ialltoallw) X(Ireduce) X(Iallreduce) X(Ireduce_scatter) X(Ireduce_scatter_block) X(Iscan) \
  X(Iexscan) X(Neighbor_allgather) X(Neighbor_allgatherv) X(Neighbor_alltoall) X(Neighbor_alltoallv) \
  X(Neighbor_alltoallw) X(Ineighbor_allgather) X(Ineighbor_allgatherv) X(Ineighbor_alltoall) \
  X(Ineighbor_alltoallv) X(Ineighbor_alltoallw) X(Comm_dup) X(Comm_dup_with_info) X(Comm_idup) X(Comm_split) \
  X(Comm_split_type) X(Comm_create) X(Comm_create_group) X(Comm_free) X(Comm_disconnect) X(Intercomm_create) \
  X(Intercomm_merge) X(Cart_create) X(Cart_sub) X(Graph_create) X(Dist_graph_create) X(Dist_graph_create_adjacent)
// clang-format on

namespace weft::tools::cosim {

/// What a process has called; 0: something that has no number.
enum class MpiCall : std::uint16_t {
  other,
#define WEFT_NUMBER(name) name,
  WEFT_MPI_CALLS(WEFT_NUMBER)
#undef WEFT_NUMBER
      Wtime,
  Finalize
};

/// [number]
inline constexpr const char* call_names[] = {"a call of MPI",
#define WEFT_NAME(name) "MPI_" #name,
                                             WEFT_MPI_CALLS(WEFT_NAME)
#undef WEFT_NAME
                                                 "MPI_Wtime",
                                             "MPI_Finalize"};

}  // namespace weft::tools::cosim
