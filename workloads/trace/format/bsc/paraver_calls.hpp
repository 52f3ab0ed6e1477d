// Calls of MPI as Extrae numbers them in Paraver traces.
#pragma once

#include "workloads/trace/event.hpp"

namespace weft::workloads {

/// Types of events.
enum ParaverType : u64 {
  paraver_point_to_point = 50000001,
  paraver_collective = 50000002,
  paraver_other = 50000003,
  paraver_one_sided = 50000004,
  paraver_files = 50000005,
  paraver_bytes_sent = 50100001,
  paraver_bytes_received = 50100002,
  paraver_root = 50100003,
  paraver_communicator = 50100004
};

/// Whether a type is that of calls: its value is the number of the call, 0 at its end.
[[nodiscard]] constexpr bool is_paraver_call(u64 type) {
  return type >= paraver_point_to_point && type <= paraver_files;
}

/// What a call does.
struct ParaverCall {
  bool immediate = false, synchronous = false;   ///< sends
  bool receives = false;                         ///< messages may be there when it is over
  bool must_send = false, must_receive = false;  ///< one of them at least, messages to nobody apart
  bool waits = false, waits_for_all = false;     ///< for requests
  bool collective = false, non_blocking = false;
  Collective operation = Collective::barrier;
};
[[nodiscard]] ParaverCall paraver_call(u64 number);
/// "MPI_Send", of calls that must have messages.
[[nodiscard]] const char* paraver_name(u64 number);

}  // namespace weft::workloads
