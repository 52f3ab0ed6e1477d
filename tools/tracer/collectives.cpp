// MPI's collective calls: their sizes are those of workloads/trace/event.hpp.
#include "tools/tracer/call.hpp"

using namespace weft::tracer;
using Sizes = Outermost::Sizes;

namespace {

constexpr int no_root = -1;

int size_of_group(MPI_Comm comm) {
  int size = 0;
  int is_inter = 0;
  WEFT_REAL(Comm_test_inter)(comm, &is_inter);
  if (is_inter) {
    WEFT_REAL(Comm_remote_size)(comm, &size);
  } else {
    WEFT_REAL(Comm_size)(comm, &size);
  }
  return size;
}
bool is_root(MPI_Comm comm, int root) {
  int rank = 0;
  WEFT_REAL(Comm_rank)(comm, &rank);
  return rank == root || root == MPI_ROOT;
}
bool in_place(const void* data) { return data == MPI_IN_PLACE; }

}  // namespace

/// A call as it blocks and as it starts a request. `sizes` is made only where it is recorded.
#define WEFT_COLLECTIVE(name, comm, root, parameters, arguments, sizes) \
  extern "C" int MPI_##name parameters {                                \
    Outermost call;                                                     \
    if (!call.is_recorded()) return WEFT_REAL(name) arguments;          \
    call.collective(Call::name, comm, root, sizes);                     \
    const int result = WEFT_REAL(name) arguments;                       \
    call.leave();                                                       \
    return result;                                                      \
  }                                                                     \
  WEFT_ALSO_AS_PMPI(name)
#define WEFT_STARTED_COLLECTIVE(name, of, comm, root, parameters, arguments, sizes)                         \
  extern "C" int MPI_##name parameters {                                                                    \
    Outermost call;                                                                                         \
    const int result = WEFT_REAL(name) arguments;                                                           \
    if (call.is_recorded() && result == MPI_SUCCESS) call.collective(Call::of, comm, root, sizes, request); \
    return result;                                                                                          \
  }                                                                                                         \
  WEFT_ALSO_AS_PMPI(name)
#define WEFT_BOTH(name, iname, root, parameters, arguments, sizes)                               \
  WEFT_COLLECTIVE(name, comm, root, (WEFT_ALL parameters), (WEFT_ALL arguments), sizes)          \
  WEFT_STARTED_COLLECTIVE(iname, name, comm, root, (WEFT_ALL parameters, MPI_Request * request), \
                          (WEFT_ALL arguments, request), sizes)
#define WEFT_ALL(...) __VA_ARGS__

namespace {

Sizes of_data(int count, MPI_Datatype type) { return {.bytes = bytes_of(count, type)}; }

Sizes of_gather(const void* data, int count, MPI_Datatype type, int room, MPI_Datatype room_type, int root,
                MPI_Comm comm) {
  if (is_root(comm, root)) return {.bytes = bytes_of(room, room_type)};
  return in_place(data) ? Sizes() : of_data(count, type);
}
Sizes of_gatherv(int count, MPI_Datatype type, const void* data, const int* counts, MPI_Datatype room_type, int root,
                 MPI_Comm comm) {
  Sizes sizes;
  if (!is_root(comm, root)) return of_data(count, type);
  sizes.received_counts = counts;
  sizes.received_type = room_type;
  sizes.pieces = size_of_group(comm);
  if (!in_place(data) && root != MPI_ROOT) sizes.bytes = bytes_of(count, type);
  return sizes;
}
Sizes of_scatter(int count, MPI_Datatype type, int room, MPI_Datatype room_type, int root, MPI_Comm comm) {
  return {.bytes = is_root(comm, root) ? bytes_of(count, type) : bytes_of(room, room_type)};
}
Sizes of_scatterv(const int* counts, MPI_Datatype type, const void* place, int room, MPI_Datatype room_type, int root,
                  MPI_Comm comm) {
  Sizes sizes;
  if (!in_place(place) && root != MPI_ROOT && root != MPI_PROC_NULL) sizes.received = bytes_of(room, room_type);
  if (!is_root(comm, root)) return sizes;
  sizes.sent_counts = counts;
  sizes.sent_type = type;
  sizes.pieces = size_of_group(comm);
  return sizes;
}
Sizes of_allgatherv(int count, MPI_Datatype type, const void* data, const int* counts, MPI_Datatype room_type,
                    MPI_Comm comm) {
  Sizes sizes;
  if (!in_place(data)) sizes.bytes = bytes_of(count, type);
  sizes.received_counts = counts;
  sizes.received_type = room_type;
  sizes.pieces = size_of_group(comm);
  return sizes;
}
Sizes of_alltoallv(const void* data, const int* sent, MPI_Datatype type, const int* received, MPI_Datatype room_type,
                   MPI_Comm comm) {
  Sizes sizes;
  const bool same = in_place(data);
  sizes.sent_counts = same ? received : sent;
  sizes.sent_type = same ? room_type : type;
  sizes.received_counts = received;
  sizes.received_type = room_type;
  sizes.pieces = size_of_group(comm);
  return sizes;
}
Sizes of_alltoallw(const void* data, const int* sent, const MPI_Datatype* types, const int* received,
                   const MPI_Datatype* room_types, MPI_Comm comm) {
  Sizes sizes;
  const bool same = in_place(data);
  sizes.sent_counts = same ? received : sent;
  sizes.sent_types = same ? room_types : types;
  sizes.received_counts = received;
  sizes.received_types = room_types;
  sizes.pieces = size_of_group(comm);
  return sizes;
}
Sizes of_reduce_scatter(const int* counts, MPI_Datatype type, MPI_Comm comm) {
  int size = 0;
  WEFT_REAL(Comm_size)(comm, &size);
  Sizes sizes;
  sizes.received_counts = counts;
  sizes.received_type = type;
  sizes.pieces = size;
  for (int rank = 0; rank < size; ++rank) sizes.bytes += bytes_of(counts[rank], type);
  sizes.bytes = size == 0 ? 0 : (sizes.bytes + static_cast<unsigned>(size) - 1) / static_cast<unsigned>(size);
  return sizes;
}

}  // namespace

WEFT_BOTH(Barrier, Ibarrier, no_root, (MPI_Comm comm), (comm), Sizes())
WEFT_BOTH(Bcast, Ibcast, root, (void* data, int count, MPI_Datatype type, int root, MPI_Comm comm),
          (data, count, type, root, comm), of_data(count, type))
WEFT_BOTH(Gather, Igather, root,
          (const void* data, int count, MPI_Datatype type, void* place, int room, MPI_Datatype room_type, int root,
           MPI_Comm comm),
          (data, count, type, place, room, room_type, root, comm),
          of_gather(data, count, type, room, room_type, root, comm))
WEFT_BOTH(Gatherv, Igatherv, root,
          (const void* data, int count, MPI_Datatype type, void* place, const int* counts, const int* places,
           MPI_Datatype room_type, int root, MPI_Comm comm),
          (data, count, type, place, counts, places, room_type, root, comm),
          of_gatherv(count, type, data, counts, room_type, root, comm))
WEFT_BOTH(Scatter, Iscatter, root,
          (const void* data, int count, MPI_Datatype type, void* place, int room, MPI_Datatype room_type, int root,
           MPI_Comm comm),
          (data, count, type, place, room, room_type, root, comm), of_scatter(count, type, room, room_type, root, comm))
WEFT_BOTH(Scatterv, Iscatterv, root,
          (const void* data, const int* counts, const int* places, MPI_Datatype type, void* place, int room,
           MPI_Datatype room_type, int root, MPI_Comm comm),
          (data, counts, places, type, place, room, room_type, root, comm),
          of_scatterv(counts, type, place, room, room_type, root, comm))
WEFT_BOTH(Allgather, Iallgather, no_root,
          (const void* data, int count, MPI_Datatype type, void* place, int room, MPI_Datatype room_type,
           MPI_Comm comm),
          (data, count, type, place, room, room_type, comm), of_data(room, room_type))
WEFT_BOTH(Allgatherv, Iallgatherv, no_root,
          (const void* data, int count, MPI_Datatype type, void* place, const int* counts, const int* places,
           MPI_Datatype room_type, MPI_Comm comm),
          (data, count, type, place, counts, places, room_type, comm),
          of_allgatherv(count, type, data, counts, room_type, comm))
WEFT_BOTH(Alltoall, Ialltoall, no_root,
          (const void* data, int count, MPI_Datatype type, void* place, int room, MPI_Datatype room_type,
           MPI_Comm comm),
          (data, count, type, place, room, room_type, comm), of_data(room, room_type))
WEFT_BOTH(Alltoallv, Ialltoallv, no_root,
          (const void* data, const int* counts, const int* places, MPI_Datatype type, void* place, const int* rooms,
           const int* room_places, MPI_Datatype room_type, MPI_Comm comm),
          (data, counts, places, type, place, rooms, room_places, room_type, comm),
          of_alltoallv(data, counts, type, rooms, room_type, comm))
WEFT_BOTH(Alltoallw, Ialltoallw, no_root,
          (const void* data, const int* counts, const int* places, const MPI_Datatype* types, void* place,
           const int* rooms, const int* room_places, const MPI_Datatype* room_types, MPI_Comm comm),
          (data, counts, places, types, place, rooms, room_places, room_types, comm),
          of_alltoallw(data, counts, types, rooms, room_types, comm))
WEFT_BOTH(Allreduce, Iallreduce, no_root,
          (const void* data, void* place, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
          (data, place, count, type, op, comm), of_data(count, type))
WEFT_BOTH(Reduce, Ireduce, root,
          (const void* data, void* place, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm),
          (data, place, count, type, op, root, comm), of_data(count, type))
WEFT_BOTH(Reduce_scatter, Ireduce_scatter, no_root,
          (const void* data, void* place, const int* counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
          (data, place, counts, type, op, comm), of_reduce_scatter(counts, type, comm))
WEFT_BOTH(Reduce_scatter_block, Ireduce_scatter_block, no_root,
          (const void* data, void* place, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
          (data, place, count, type, op, comm), of_data(count, type))
WEFT_BOTH(Scan, Iscan, no_root, (const void* data, void* place, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
          (data, place, count, type, op, comm), of_data(count, type))
WEFT_BOTH(Exscan, Iexscan, no_root,
          (const void* data, void* place, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
          (data, place, count, type, op, comm), of_data(count, type))
