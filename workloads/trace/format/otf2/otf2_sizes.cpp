// Totals of ranks to sizes of pieces and back; see the header.
#include "workloads/trace/format/otf2/otf2_sizes.hpp"

#include <algorithm>
#include <numeric>

namespace weft::workloads::otf2 {
namespace {

constexpr u64 unknown = TraceEvent::unknown_bytes;

/// `total` of `pieces` equal ones, or of one less (in place).
u64 piece_of(u64 total, u64 pieces) {
  if (pieces == 0 || total % pieces == 0) return pieces == 0 ? total : total / pieces;
  if (pieces > 1 && total % (pieces - 1) == 0) return total / (pieces - 1);
  return total / pieces + 1;
}

u64 times(u64 piece, u64 pieces) { return pieces != 0 && piece > unknown / pieces ? unknown - 1 : piece * pieces; }

u64 sum_or(const std::vector<u64>& listed, u64 total) {
  return listed.empty() ? total : std::accumulate(listed.begin(), listed.end(), u64{0});
}

u64 scan_bytes(const Totals& totals, const CallPlace& place, bool counts_own) {
  const u64 before = place.rank, behind = place.ranks - place.rank - 1;
  if (counts_own && totals.received % (before + 1) == 0 &&
      totals.sent == times(totals.received / (before + 1), behind + 1))
    return totals.received / (before + 1);
  return before > 0 ? totals.received / before : piece_of(totals.sent, behind);
}

}  // namespace

void set_sizes(TraceEvent& call, const Totals& totals, const CallPlace& place) {
  const u64 sent = totals.sent, received = totals.received, ranks = place.ranks;
  call.bytes = call.bytes_received = 0;
  if (call.operation == Collective::barrier) return;
  if (sent == unknown || received == unknown) {
    call.bytes = call.bytes_received = unknown;
    return;
  }
  switch (call.operation) {
    case Collective::broadcast:
      call.bytes = received > 0 ? received : piece_of(sent, ranks);
      break;
    case Collective::scatter:
      call.bytes = received > 0 ? received : piece_of(sent, ranks - 1);
      break;
    case Collective::gather:
    case Collective::reduce:
      call.bytes = sent > 0 ? sent : piece_of(received, ranks - 1);
      break;
    case Collective::allgather:
    case Collective::all_to_all:
    case Collective::allreduce:
    case Collective::reduce_scatter:
    case Collective::reduce_scatter_block:
      call.bytes = piece_of(sent, ranks);
      break;
    case Collective::scan:
    case Collective::exscan:
      call.bytes = scan_bytes(totals, place, call.operation == Collective::scan);
      break;
    case Collective::allgatherv:
      call.bytes = piece_of(sent, ranks);
      call.bytes_received = received;
      break;
    case Collective::gatherv:
    case Collective::scatterv:
    case Collective::all_to_allv:
    case Collective::all_to_allw:
      call.bytes = sent;
      call.bytes_received = received;
      break;
    case Collective::barrier:
      break;
  }
}

void set_sizes_of_pieces(TraceEvent& call, const Totals& sizes) {
  const bool by_total = known(call.operation).listed;
  call.bytes = by_total || sizes.sent > 0 ? sizes.sent : sizes.received;
  call.bytes_received = by_total ? sizes.received : 0;
  if (call.operation == Collective::barrier) call.bytes = 0;
}

Totals totals_of(const TraceEvent& call, const CallPlace& place) {
  const u64 ranks = place.ranks, bytes = call.bytes;
  if (call.operation == Collective::barrier) return {};
  const bool has_lists = !call.sent.empty() || !call.received.empty();
  if (!has_lists && (bytes == unknown || call.bytes_received == unknown)) return {unknown, unknown};
  switch (call.operation) {
    case Collective::broadcast:
    case Collective::scatter:
      return {place.is_root ? times(bytes, ranks) : 0, bytes};
    case Collective::gather:
    case Collective::reduce:
      return {bytes, place.is_root ? times(bytes, ranks) : 0};
    case Collective::scan:
      return {times(bytes, ranks - place.rank), times(bytes, u64{place.rank} + 1)};
    case Collective::exscan:
      return {times(bytes, ranks - place.rank - 1), times(bytes, place.rank)};
    case Collective::allgatherv:
      return {times(bytes, ranks), sum_or(call.received, call.bytes_received)};
    case Collective::reduce_scatter:
      if (!call.received.empty()) {
        const u64 own = place.rank < call.received.size() ? call.received[place.rank] : 0;
        return {sum_or(call.received, 0), times(own, ranks)};
      }
      return {times(bytes, ranks), times(bytes, ranks)};
    case Collective::gatherv:
      return {sum_or(call.sent, bytes), place.is_root ? sum_or(call.received, call.bytes_received) : 0};
    case Collective::scatterv:
      return {place.is_root ? sum_or(call.sent, bytes) : 0, sum_or(call.received, call.bytes_received)};
    case Collective::all_to_allv:
    case Collective::all_to_allw:
      return {sum_or(call.sent, bytes), sum_or(call.received, call.bytes_received)};
    default:
      return {times(bytes, ranks), times(bytes, ranks)};
  }
}

}  // namespace weft::workloads::otf2
