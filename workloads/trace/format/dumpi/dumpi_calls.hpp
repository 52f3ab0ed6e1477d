// What a DUMPI trace stores of each call, as a table: which arguments, in which order, how encoded. A call that is not
// understood is stepped over by it all the same.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/types.hpp"

namespace weft::workloads {

/// A row: arguments are "NAME:TYPE", separated by blanks, "A==B?NAME:TYPE" where it is there only if A equals B. Types:
/// u8, u16, i32, i64; st, a list of statuses; str; args, as many strings as argc says; TYPE[] and TYPE[][], lists with
/// their lengths in front; TYPE-since-VERSION, an i32 before that version.
struct DumpiRow {
  u16 function;
  const char* name;  ///< without "MPI_"
  const char* arguments;
};
[[nodiscard]] std::span<const DumpiRow> dumpi_rows();

/// Numbers of calls that a reader knows.
enum DumpiFunction : u16 {
  dumpi_send = 0,
  dumpi_recv = 1,
  dumpi_bsend = 3,
  dumpi_ssend = 4,
  dumpi_rsend = 5,
  dumpi_isend = 8,
  dumpi_ibsend = 9,
  dumpi_issend = 10,
  dumpi_irsend = 11,
  dumpi_irecv = 12,
  dumpi_wait = 13,
  dumpi_test = 14,
  dumpi_request_free = 15,
  dumpi_waitany = 16,
  dumpi_testany = 17,
  dumpi_waitall = 18,
  dumpi_testall = 19,
  dumpi_waitsome = 20,
  dumpi_testsome = 21,
  dumpi_iprobe = 22,
  dumpi_probe = 23,
  dumpi_send_init = 26,
  dumpi_bsend_init = 27,
  dumpi_ssend_init = 28,
  dumpi_rsend_init = 29,
  dumpi_recv_init = 30,
  dumpi_start = 31,
  dumpi_startall = 32,
  dumpi_sendrecv = 33,
  dumpi_sendrecv_replace = 34,
  dumpi_type_contiguous = 35,
  dumpi_type_vector = 36,
  dumpi_type_hvector = 37,
  dumpi_type_indexed = 38,
  dumpi_type_hindexed = 39,
  dumpi_type_struct = 40,
  dumpi_type_size = 43,
  dumpi_bcast = 53,
  dumpi_comm_group = 72,
  dumpi_group_union = 73,
  dumpi_group_intersection = 74,
  dumpi_group_difference = 75,
  dumpi_group_incl = 76,
  dumpi_group_excl = 77,
  dumpi_group_range_incl = 78,
  dumpi_group_range_excl = 79,
  dumpi_comm_size = 81,
  dumpi_comm_rank = 82,
  dumpi_comm_dup = 84,
  dumpi_comm_create = 85,
  dumpi_comm_split = 86,
  dumpi_comm_remote_group = 90,
  dumpi_intercomm_create = 91,
  dumpi_intercomm_merge = 92,
  dumpi_cart_create = 99,
  dumpi_graph_create = 101,
  dumpi_cart_sub = 111,
  dumpi_comm_accept = 130,
  dumpi_comm_connect = 131,
  dumpi_comm_get_parent = 133,
  dumpi_comm_join = 134,
  dumpi_comm_spawn = 135,
  dumpi_comm_spawn_multiple = 136,
  dumpi_type_dup = 178,
  dumpi_type_match_size = 186,
  dumpi_type_create_hindexed = 218,
  dumpi_type_create_hvector = 219,
  dumpi_type_create_indexed_block = 220,
  dumpi_type_create_resized = 221,
  dumpi_type_create_struct = 222,
  dumpi_type_create_subarray = 223,
  dumpi_enter = 291,
  dumpi_leave = 292,
  dumpi_end = 293
};

/// Arguments that a reader may ask for, one number each.
enum class DumpiField : u8 {
  count,
  datatype,
  dest,
  source,
  tag,
  comm,
  request,
  flag,
  index,
  outcount,
  sendcount,
  sendtype,
  sendtag,
  recvcount,
  recvtype,
  recvtag,
  blocklength,
  oldtype,
  newtype,
  size,
  root,
  commrank,
  oldcommrank,
  rank,
  group,
  group1,
  group2,
  newgroup,
  oldcomm,
  newcomm,
  parent,
  color,
  key,
  localcomm,
  localleader,
  remotecomm,
  remoteleader,
  high,
  nodes,
  argc,
  unasked  ///< any other
};
inline constexpr std::size_t dumpi_fields = static_cast<std::size_t>(DumpiField::unasked) + 1;

/// Arguments that a reader may ask for, lists of numbers.
enum class DumpiList : u8 {
  requests,
  indices,
  lengths,
  blocklengths,
  oldtypes,
  subsizes,
  sendcounts,
  recvcounts,
  sendtypes,
  recvtypes,
  ranks,
  ranges,
  dims,
  remain_dims,
  unasked
};
inline constexpr std::size_t dumpi_lists = static_cast<std::size_t>(DumpiList::unasked) + 1;

/// An argument as a decoder takes it.
struct DumpiArgument {
  enum class Type : u8 { u8, u16, i32, i64, status, text, texts, list_u8, list_u16, list_i32, lists_i32, lists_text };
  Type type = Type::i32;
  u8 slot = 0;               ///< DumpiField, or DumpiList of lists
  bool counted = false;      ///< texts: argc says how many; else their number is in front
  bool conditional = false;  ///< only if both of these are equal
  DumpiField left = DumpiField::unasked, right = DumpiField::unasked;
  u32 since = 0;              ///< version from which on it is this, 10,000 a + 100 b + c
  bool extra_before = false;  ///< before `since` an i32 stands in front of it, not in place of it
};

/// The arguments of a call; null of a number that stands for none.
[[nodiscard]] const std::vector<DumpiArgument>* dumpi_arguments(u16 function);
/// "MPI_Send"; of numbers that stand for no call "call 300".
[[nodiscard]] std::string dumpi_name(u16 function);

}  // namespace weft::workloads
