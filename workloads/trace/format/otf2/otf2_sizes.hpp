// Sizes of collective calls: the totals of a rank that OTF2 has, and what TraceEvent says.
#pragma once

#include "workloads/trace/event.hpp"

namespace weft::workloads::otf2 {

/// The place of a task in a collective call.
struct CallPlace {
  u32 ranks = 1, rank = 0;
  bool is_root = false;
};

/// What a rank gives and gets in all, its own part included (Score-P, src/adapters/mpi/scorep_mpi_coll.inc.c): a
/// broadcast of d bytes is n d given by the root and d got by each; an allreduce n d both; a scan (n - rank) d and
/// (rank + 1) d. In place, what is the rank's own is left out.
struct Totals {
  u64 sent = 0, received = 0;
  friend bool operator==(const Totals&, const Totals&) = default;
};

/// Puts bytes and bytes_received into `call`, whose operation is known. In-place calls are told from others where the
/// totals differ. TraceEvent::unknown_bytes stays unknown.
void set_sizes(TraceEvent& call, const Totals& totals, const CallPlace& place);
/// Puts bytes and bytes_received into `call` where sizes are those of one piece, as the call has them.
void set_sizes_of_pieces(TraceEvent& call, const Totals& sizes);

/// Totals of a call that is not in place; set_sizes makes the same sizes of them.
[[nodiscard]] Totals totals_of(const TraceEvent& call, const CallPlace& place);

}  // namespace weft::workloads::otf2
