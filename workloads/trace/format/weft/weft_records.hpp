// The records of weft's tracer (tools/tracer): what its library writes and the format "weft" reads. Needs nothing but
// the C++ headers named here, since the library lives inside of programs that are traced.
//
// A rank writes the file rank-N.weft: a FileHeader, then blocks, each a BlockHeader and its bytes. Blocks of records
// are of one thread, in the order of its calls; blocks of definitions say what numbers in records mean, and come before
// these. Integers are little-endian; in blocks they are varints (7 bits a byte, low ones first; signed ones zigzag).
// A record:
//   kind and flags (1 byte), [nanoseconds from the end of the thread's record before], [nanoseconds it took], fields.
// Records that continue a call have no times: they have those of the record before.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace weft::records {

inline constexpr char file_magic[8] = {'W', 'E', 'F', 'T', 'R', 'E', 'C', '1'};
inline constexpr std::uint32_t block_magic = 0x4B4C4257;  // "WBLK"
inline constexpr std::uint32_t least_block_bytes = 4096, default_block_bytes = 65536, most_block_bytes = 1U << 20;
/// Bytes of one record, at most: counts of v collectives, members of communicators.
inline constexpr std::uint32_t most_record_bytes = 1U << 29;

enum class Library : std::uint32_t { openmpi, mpich };
enum class Clock : std::uint32_t { wall, cpu };
/// How the recording of a rank stands.
enum class State : std::uint32_t {
  recording,    ///< or ended from outside, by a signal
  complete,     ///< by MPI_Finalize
  exited,       ///< the program ended without it
  aborted,      ///< by MPI_Abort
  cannot_write  ///< FileHeader::error; records after that are lost
};

struct FileHeader {
  char magic[8];
  std::uint32_t header_bytes;
  std::uint32_t rank, ranks;
  Library library;
  Clock clock;
  State state;
  std::uint32_t has_inner;  ///< messages inside of collective calls are recorded
  std::uint32_t block_bytes;
  std::int32_t error;        ///< errno
  std::uint32_t threads;     ///< that made calls
  std::uint64_t blocks;      ///< whole ones in the file
  std::uint64_t records;     ///< in these
  std::uint64_t lost;        ///< records that could not be written
  std::uint64_t end_ns;      ///< of the last record written
  char library_version[64];  ///< text, ends with 0
  std::uint64_t checksum;    ///< of all before
};

enum class BlockKind : std::uint32_t { records, definitions };

struct BlockHeader {
  std::uint32_t magic;
  BlockKind kind;
  std::uint32_t bytes;  ///< behind this
  std::uint32_t records;
  std::uint32_t thread;    ///< number, from 0
  std::uint32_t number;    ///< of the block among those of its thread and kind
  std::uint64_t begin_ns;  ///< what the time of the first record counts from
  std::uint64_t checksum;  ///< of all before and of the bytes
};
static_assert(sizeof(FileHeader) == 152 && sizeof(BlockHeader) == 40);

enum class Kind : std::uint8_t {
  none,
  send,          ///< duration, communicator, peer, tag, bytes
  isend,         ///< the same and a request
  receive,       ///< like send; of the message that came
  ireceive,      ///< like isend; peer and tag may be `any`, bytes are those there is room for
  wait,          ///< duration, request, bytes + 1 (0: unknown), peer, tag of what came; cancelled: peer `any`
  probe,         ///< duration, communicator, peer, tag
  collective,    ///< call, communicator, root + 1, bytes, bytes received, two counts and their lists, [request]
  enter,         ///< call
  leave,         ///< of the innermost call or collective
  mark,          ///< number of MPI_Pcontrol
  send_init,     ///< like isend: what `start` starts
  receive_init,  ///< like ireceive
  start,         ///< duration, request
  forget,        ///< request: freed
  resume,        ///< what was between the record before and this one has not been recorded
  polled         ///< duration: calls like MPI_Test that found nothing, one after the other
};
inline constexpr std::uint8_t kinds = 17, kind_bits = 0x1F;
/// The record is of the same call as the one before.
inline constexpr std::uint8_t continues = 0x20;
/// Sends: MPI_Ssend and the like. Collective calls: non-blocking, with a request.
inline constexpr std::uint8_t special = 0x40;
/// A message of the library, inside of a call.
inline constexpr std::uint8_t inner = 0x80;

/// Peers: MPI_ANY_SOURCE and tags MPI_ANY_TAG in records.
inline constexpr std::int64_t any = -1;
/// Communicators are given as number * 2, + 1 where the peer is a rank of MPI_COMM_WORLD. Numbers 0 and 1 are
/// MPI_COMM_WORLD and MPI_COMM_SELF; all others are defined.
inline constexpr std::uint32_t world = 0, self = 1;

/// Definition of a communicator: number, flags, members as ranks of MPI_COMM_WORLD (count; differences to the one
/// before + 1), the same of the other group of an inter-communicator. Definition of a mark: its number, signed.
enum class Definition : std::uint8_t { none, communicator, mark };
/// Made by the library for itself.
inline constexpr std::uint8_t communicator_is_internal = 1;
inline constexpr std::uint8_t communicator_is_inter = 2;

/// Calls whose names are in records of enter and collective.
#define WEFT_RECORDED_COLLECTIVES(CALL) \
  CALL(Barrier)                         \
  CALL(Bcast)                           \
  CALL(Gather)                          \
  CALL(Gatherv)                         \
  CALL(Scatter)                         \
  CALL(Scatterv)                        \
  CALL(Allgather)                       \
  CALL(Allgatherv)                      \
  CALL(Alltoall)                        \
  CALL(Alltoallv)                       \
  CALL(Alltoallw) CALL(Allreduce) CALL(Reduce) CALL(Reduce_scatter) CALL(Scan) CALL(Exscan) CALL(Reduce_scatter_block)
// clang-format does not agree with itself on a list like this.
// clang-format off
#define WEFT_RECORDED_CALLS(CALL) \
  CALL(Finalize) CALL(Comm_dup) CALL(Comm_dup_with_info) CALL(Comm_idup) CALL(Comm_create) CALL(Comm_create_group) \
  CALL(Comm_split) CALL(Comm_split_type) CALL(Comm_free) CALL(Comm_disconnect) CALL(Intercomm_create) \
  CALL(Intercomm_merge) CALL(Cart_create) CALL(Cart_sub) CALL(Graph_create) CALL(Dist_graph_create) \
  CALL(Dist_graph_create_adjacent) CALL(Neighbor_allgather) CALL(Neighbor_allgatherv) CALL(Neighbor_alltoall) \
  CALL(Neighbor_alltoallv) CALL(Neighbor_alltoallw) CALL(Win_create) CALL(Win_allocate) CALL(Win_allocate_shared) \
  CALL(Win_create_dynamic) CALL(Win_free) CALL(Win_fence) CALL(Win_start) CALL(Win_complete) CALL(Win_post) \
  CALL(Win_wait) CALL(Win_lock) CALL(Win_unlock) CALL(Win_lock_all) CALL(Win_unlock_all) CALL(Win_flush) \
  CALL(Win_flush_all) CALL(Put) CALL(Get) CALL(Accumulate) CALL(Get_accumulate) CALL(Fetch_and_op) \
  CALL(Compare_and_swap) CALL(File_open) CALL(File_close) CALL(File_set_size) CALL(File_set_view) CALL(File_sync) \
  CALL(File_read) CALL(File_read_all) CALL(File_read_at) CALL(File_read_at_all) CALL(File_read_shared) \
  CALL(File_read_ordered) CALL(File_write) CALL(File_write_all) CALL(File_write_at) CALL(File_write_at_all) \
  CALL(File_write_shared) CALL(File_write_ordered)
// clang-format on

#define WEFT_CALL_NUMBER(name) name,
#define WEFT_CALL_NAME(name) "MPI_" #name,
/// The collective calls come first.
enum class Call : std::uint32_t {
  WEFT_RECORDED_COLLECTIVES(WEFT_CALL_NUMBER) WEFT_RECORDED_CALLS(WEFT_CALL_NUMBER) none
};
inline constexpr std::uint32_t calls = static_cast<std::uint32_t>(Call::none);
inline constexpr std::uint32_t collective_calls = static_cast<std::uint32_t>(Call::Finalize);
inline constexpr std::array<std::string_view, calls> call_names = {WEFT_RECORDED_COLLECTIVES(WEFT_CALL_NAME)
                                                                       WEFT_RECORDED_CALLS(WEFT_CALL_NAME)};
#undef WEFT_CALL_NUMBER
#undef WEFT_CALL_NAME

inline constexpr std::size_t most_varint_bytes = 10;

inline std::uint8_t* put(std::uint8_t* to, std::uint64_t value) {
  while (value >= 0x80) {
    *to++ = static_cast<std::uint8_t>(value | 0x80);
    value >>= 7;
  }
  *to++ = static_cast<std::uint8_t>(value);
  return to;
}
inline std::uint64_t zigzag(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}
inline std::int64_t unzigzag(std::uint64_t value) {
  return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
}

/// Checksum of bytes that follow others whose sum is `sum`.
inline std::uint64_t checksum(const void* bytes, std::size_t count, std::uint64_t sum = 0x9E37'79B9'7F4A'7C15) {
  const auto* at = static_cast<const unsigned char*>(bytes);
  const auto mix = [&](std::uint64_t word) {
    sum = (sum ^ word) * 0xBF58'476D'1CE4'E5B9;
    sum ^= sum >> 29;
  };
  for (; count >= 8; count -= 8, at += 8) {
    std::uint64_t word;
    std::memcpy(&word, at, 8);
    mix(word);
  }
  std::uint64_t rest = count;
  for (std::size_t i = 0; i < count; ++i) rest = rest << 8 | at[i];
  mix(rest);
  return sum;
}
inline std::uint64_t sum_of(const FileHeader& header) { return checksum(&header, offsetof(FileHeader, checksum)); }
inline std::uint64_t sum_of(const BlockHeader& header, const void* bytes) {
  return checksum(bytes, header.bytes, checksum(&header, offsetof(BlockHeader, checksum)));
}

}  // namespace weft::records
