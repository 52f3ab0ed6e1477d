// Numbers and lists of kept events; see the header.
#include "workloads/trace/edit/cut_communicators.hpp"

#include <fmt/format.h>
#include <numeric>

#include "engine/base/error.hpp"

namespace weft::workloads {
namespace {

/// Collective operations whose totals, and lists, are over all members.
bool sends_pieces(Collective operation) {
  return operation == Collective::scatterv || operation == Collective::all_to_allv ||
         operation == Collective::all_to_allw;
}
bool receives_pieces(Collective operation) {
  return operation == Collective::gatherv || operation == Collective::allgatherv ||
         operation == Collective::all_to_allv || operation == Collective::all_to_allw;
}

u64 total_of(const std::vector<u64>& list) { return std::accumulate(list.begin(), list.end(), u64{0}); }

}  // namespace

CutCommunicators::CutCommunicators(const StoreIndex& index, const KeptTasks& kept, const CutCounts& counts)
    : index_(index), kept_(kept) {
  for (u32 number = 0; number < index.communicators.size(); ++number) {
    const std::vector<u32>& members = index.communicators[number].members;
    TraceCommunicator restricted{{}, index.communicators[number].is_internal};
    for (const u32 member : members) {
      if (kept.has(member)) restricted.members.push_back(kept.number(member));
    }
    const bool stays = members.empty() || !restricted.members.empty() || counts.is_used(number);
    numbers_.push_back(static_cast<u32>(communicators_.size()));
    if (stays) communicators_.push_back(std::move(restricted));
  }
}

void CutCommunicators::filter(std::vector<u64>& list, u64& total, u32 communicator) const {
  const std::vector<u32>& members = index_.communicators[communicator].members;
  const u64 ranks = members.empty() ? index_.tasks : members.size();
  const bool has_total = total != TraceEvent::unknown_bytes;
  if (list.empty()) {
    const u32 number = numbers_[communicator];
    const u64 left = members.empty() ? kept_.count() : communicators_[number].members.size();
    if (has_total) total = static_cast<u64>(static_cast<u128>(total) * left / ranks);
    return;
  }
  if (list.size() != ranks)
    throw InputError(fmt::format("a collective call on a communicator of {} tasks has {} pieces; check the trace",
                                 ranks, list.size()));
  const bool was_sum = has_total && total == total_of(list);
  std::vector<u64> filtered;
  for (u32 rank = 0; rank < ranks; ++rank) {
    if (kept_.has(members.empty() ? rank : members[rank])) filtered.push_back(list[rank]);
  }
  list = std::move(filtered);
  if (was_sum) total = total_of(list);
}

void CutCommunicators::translate(TraceEvent& event) const {
  using Kind = TraceEvent::Kind;
  if (event.kind == Kind::collective) {
    if (event.root != TraceEvent::no_root) event.root = kept_.number(event.root);
    if (!kept_.all() && (!event.sent.empty() || sends_pieces(event.operation)))
      filter(event.sent, event.bytes, event.communicator);
    if (!kept_.all() && (!event.received.empty() || receives_pieces(event.operation)))
      filter(event.received, event.bytes_received, event.communicator);
  } else if (event.kind != Kind::compute && event.kind < Kind::enter && event.peer != TraceEvent::any) {
    event.peer = kept_.number(event.peer);  // of one that is left out: any
  }
  event.communicator = numbers_[event.communicator];
}

}  // namespace weft::workloads
