// Calls of MPI that are recorded by name and time, with the messages that they send inside: communicators,
// neighbourhood collectives, one-sided communication, files.
#include "tools/tracer/call.hpp"

using namespace weft::tracer;

/// Names, parameters, arguments, the communicator that messages inside are of (none if it is not known), what is done
/// at the end.
#define WEFT_CALL(name, parameters, arguments, of, after) \
  extern "C" int MPI_##name parameters {                  \
    Outermost call;                                       \
    const bool is_recorded = call.is_recorded();          \
    if (is_recorded) call.enter(Call::name, of);          \
    const int result = WEFT_REAL(name) arguments;         \
    if (is_recorded) call.leave();                        \
    after;                                                \
    return result;                                        \
  }                                                       \
  WEFT_ALSO_AS_PMPI(name)
#define WEFT_MAKES(name, parameters, arguments, of, new_one) \
  WEFT_CALL(name, parameters, arguments, of, {               \
    if (result == MPI_SUCCESS) made(*new_one);               \
  })
#define WEFT_SEES(name, parameters, arguments) WEFT_CALL(name, parameters, arguments, handles.no_comm, {})

WEFT_MAKES(Comm_dup, (MPI_Comm comm, MPI_Comm* made_comm), (comm, made_comm), comm, made_comm)
WEFT_MAKES(Comm_dup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm* made_comm), (comm, info, made_comm), comm,
           made_comm)
WEFT_MAKES(Comm_idup, (MPI_Comm comm, MPI_Comm* made_comm, MPI_Request* request), (comm, made_comm, request), comm,
           made_comm)
WEFT_MAKES(Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm* made_comm), (comm, group, made_comm), comm,
           made_comm)
WEFT_MAKES(Comm_create_group, (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* made_comm),
           (comm, group, tag, made_comm), comm, made_comm)
WEFT_MAKES(Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm* made_comm), (comm, color, key, made_comm), comm,
           made_comm)
WEFT_MAKES(Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* made_comm),
           (comm, type, key, info, made_comm), comm, made_comm)
WEFT_MAKES(Intercomm_create,
           (MPI_Comm comm, int leader, MPI_Comm bridge, int remote_leader, int tag, MPI_Comm* made_comm),
           (comm, leader, bridge, remote_leader, tag, made_comm), handles.no_comm, made_comm)
WEFT_MAKES(Intercomm_merge, (MPI_Comm comm, int high, MPI_Comm* made_comm), (comm, high, made_comm), handles.no_comm,
           made_comm)
WEFT_MAKES(Cart_create,
           (MPI_Comm comm, int count, const int* lengths, const int* periods, int reorder, MPI_Comm* made_comm),
           (comm, count, lengths, periods, reorder, made_comm), comm, made_comm)
WEFT_MAKES(Cart_sub, (MPI_Comm comm, const int* remain, MPI_Comm* made_comm), (comm, remain, made_comm), comm,
           made_comm)
WEFT_MAKES(Graph_create,
           (MPI_Comm comm, int nodes, const int* index, const int* edges, int reorder, MPI_Comm* made_comm),
           (comm, nodes, index, edges, reorder, made_comm), comm, made_comm)
WEFT_MAKES(Dist_graph_create,
           (MPI_Comm comm, int count, const int* sources, const int* degrees, const int* destinations,
            const int* weights, MPI_Info info, int reorder, MPI_Comm* made_comm),
           (comm, count, sources, degrees, destinations, weights, info, reorder, made_comm), comm, made_comm)
WEFT_MAKES(Dist_graph_create_adjacent,
           (MPI_Comm comm, int in, const int* sources, const int* source_weights, int out, const int* destinations,
            const int* weights, MPI_Info info, int reorder, MPI_Comm* made_comm),
           (comm, in, sources, source_weights, out, destinations, weights, info, reorder, made_comm), comm, made_comm)

/// Freed by all members; its messages are known under its number until it is gone.
#define WEFT_FREES(name)                                 \
  extern "C" int MPI_##name(MPI_Comm* comm) {            \
    Outermost call;                                      \
    const bool is_recorded = call.is_recorded();         \
    const MPI_Comm before = *comm;                       \
    if (is_recorded) call.enter(Call::name, before);     \
    const int result = WEFT_REAL(name)(comm);            \
    if (is_recorded) call.leave();                       \
    if (result == MPI_SUCCESS && started) freed(before); \
    return result;                                       \
  }                                                      \
  WEFT_ALSO_AS_PMPI(name)
WEFT_FREES(Comm_free)
WEFT_FREES(Comm_disconnect)

WEFT_CALL(Neighbor_allgather,
          (const void* data, int count, MPI_Datatype type, void* place, int room, MPI_Datatype room_type,
           MPI_Comm comm),
          (data, count, type, place, room, room_type, comm), comm, {})
WEFT_CALL(Neighbor_allgatherv,
          (const void* data, int count, MPI_Datatype type, void* place, const int* rooms, const int* places,
           MPI_Datatype room_type, MPI_Comm comm),
          (data, count, type, place, rooms, places, room_type, comm), comm, {})
WEFT_CALL(Neighbor_alltoall,
          (const void* data, int count, MPI_Datatype type, void* place, int room, MPI_Datatype room_type,
           MPI_Comm comm),
          (data, count, type, place, room, room_type, comm), comm, {})
WEFT_CALL(Neighbor_alltoallv,
          (const void* data, const int* counts, const int* starts, MPI_Datatype type, void* place, const int* rooms,
           const int* places, MPI_Datatype room_type, MPI_Comm comm),
          (data, counts, starts, type, place, rooms, places, room_type, comm), comm, {})
WEFT_CALL(Neighbor_alltoallw,
          (const void* data, const int* counts, const MPI_Aint* starts, const MPI_Datatype* types, void* place,
           const int* rooms, const MPI_Aint* places, const MPI_Datatype* room_types, MPI_Comm comm),
          (data, counts, starts, types, place, rooms, places, room_types, comm), comm, {})

WEFT_CALL(Win_create, (void* base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win* win),
          (base, size, unit, info, comm, win), comm, {})
WEFT_CALL(Win_allocate, (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void* base, MPI_Win* win),
          (size, unit, info, comm, base, win), comm, {})
WEFT_CALL(Win_allocate_shared, (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void* base, MPI_Win* win),
          (size, unit, info, comm, base, win), comm, {})
WEFT_CALL(Win_create_dynamic, (MPI_Info info, MPI_Comm comm, MPI_Win* win), (info, comm, win), comm, {})
WEFT_SEES(Win_free, (MPI_Win * win), (win))
WEFT_SEES(Win_fence, (int assertion, MPI_Win win), (assertion, win))
WEFT_SEES(Win_start, (MPI_Group group, int assertion, MPI_Win win), (group, assertion, win))
WEFT_SEES(Win_complete, (MPI_Win win), (win))
WEFT_SEES(Win_post, (MPI_Group group, int assertion, MPI_Win win), (group, assertion, win))
WEFT_SEES(Win_wait, (MPI_Win win), (win))
WEFT_SEES(Win_lock, (int type, int rank, int assertion, MPI_Win win), (type, rank, assertion, win))
WEFT_SEES(Win_unlock, (int rank, MPI_Win win), (rank, win))
WEFT_SEES(Win_lock_all, (int assertion, MPI_Win win), (assertion, win))
WEFT_SEES(Win_unlock_all, (MPI_Win win), (win))
WEFT_SEES(Win_flush, (int rank, MPI_Win win), (rank, win))
WEFT_SEES(Win_flush_all, (MPI_Win win), (win))
WEFT_SEES(Put,
          (const void* data, int count, MPI_Datatype type, int to, MPI_Aint at, int there, MPI_Datatype there_type,
           MPI_Win win),
          (data, count, type, to, at, there, there_type, win))
WEFT_SEES(Get,
          (void* data, int count, MPI_Datatype type, int from, MPI_Aint at, int there, MPI_Datatype there_type,
           MPI_Win win),
          (data, count, type, from, at, there, there_type, win))
WEFT_SEES(Accumulate,
          (const void* data, int count, MPI_Datatype type, int to, MPI_Aint at, int there, MPI_Datatype there_type,
           MPI_Op op, MPI_Win win),
          (data, count, type, to, at, there, there_type, op, win))
WEFT_SEES(Get_accumulate,
          (const void* data, int count, MPI_Datatype type, void* place, int room, MPI_Datatype room_type, int to,
           MPI_Aint at, int there, MPI_Datatype there_type, MPI_Op op, MPI_Win win),
          (data, count, type, place, room, room_type, to, at, there, there_type, op, win))
WEFT_SEES(Fetch_and_op, (const void* data, void* place, MPI_Datatype type, int to, MPI_Aint at, MPI_Op op, MPI_Win win),
          (data, place, type, to, at, op, win))
WEFT_SEES(Compare_and_swap,
          (const void* data, const void* compared, void* place, MPI_Datatype type, int to, MPI_Aint at, MPI_Win win),
          (data, compared, place, type, to, at, win))

WEFT_CALL(File_open, (MPI_Comm comm, const char* name, int mode, MPI_Info info, MPI_File* file),
          (comm, name, mode, info, file), comm, {})
WEFT_SEES(File_close, (MPI_File * file), (file))
WEFT_SEES(File_set_size, (MPI_File file, MPI_Offset size), (file, size))
WEFT_SEES(File_set_view,
          (MPI_File file, MPI_Offset begin, MPI_Datatype element, MPI_Datatype type, const char* data, MPI_Info info),
          (file, begin, element, type, data, info))
WEFT_SEES(File_sync, (MPI_File file), (file))
#define WEFT_READS(name)                                                                         \
  WEFT_SEES(name, (MPI_File file, void* data, int count, MPI_Datatype type, MPI_Status* status), \
            (file, data, count, type, status))
#define WEFT_WRITES(name)                                                                              \
  WEFT_SEES(name, (MPI_File file, const void* data, int count, MPI_Datatype type, MPI_Status* status), \
            (file, data, count, type, status))
#define WEFT_READS_AT(name)                                                                                     \
  WEFT_SEES(name, (MPI_File file, MPI_Offset at, void* data, int count, MPI_Datatype type, MPI_Status* status), \
            (file, at, data, count, type, status))
#define WEFT_WRITES_AT(name)                                                                                          \
  WEFT_SEES(name, (MPI_File file, MPI_Offset at, const void* data, int count, MPI_Datatype type, MPI_Status* status), \
            (file, at, data, count, type, status))
WEFT_READS(File_read)
WEFT_READS(File_read_all)
WEFT_READS(File_read_shared)
WEFT_READS(File_read_ordered)
WEFT_READS_AT(File_read_at)
WEFT_READS_AT(File_read_at_all)
WEFT_WRITES(File_write)
WEFT_WRITES(File_write_all)
WEFT_WRITES(File_write_shared)
WEFT_WRITES(File_write_ordered)
WEFT_WRITES_AT(File_write_at)
WEFT_WRITES_AT(File_write_at_all)
