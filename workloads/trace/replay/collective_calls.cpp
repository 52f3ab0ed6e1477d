// Parts of tasks in collective calls; see the header.
#include "workloads/trace/replay/collective_calls.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

#include "engine/base/error.hpp"
#include "workloads/generator/collective/collective_plan.hpp"
#include "workloads/generator/collective/piece_counts.hpp"

namespace weft::workloads {
namespace {

/// Programs kept for calls to come; a trace has few kinds of calls, an adversary's has many.
constexpr std::size_t most_kept_programs = 4096;
constexpr u32 of_a_collective = u32{1} << 31;

bool has_pieces_of_any_length(Collective operation) {
  return operation == Collective::gatherv || operation == Collective::scatterv || operation == Collective::allgatherv ||
         operation == Collective::all_to_allv || operation == Collective::all_to_allw;
}

/// `total` in even shares of `ranks`.
std::vector<u64> shares_of(u64 total, u32 ranks) {
  std::vector<u64> shares(ranks);
  for (u32 rank = 0; rank < ranks; ++rank) shares[rank] = even_share({0, total}, ranks, rank).bytes;
  return shares;
}

/// A list of each rank as one of each place behind the root.
std::vector<u64> from_root(std::vector<u64> of_rank, u32 root) {
  std::rotate(of_rank.begin(), of_rank.begin() + root, of_rank.end());
  return of_rank;
}

u64 sum_of(const std::vector<u64>& values) { return std::accumulate(values.begin(), values.end(), u64{0}); }

}  // namespace

CollectiveCalls::CollectiveCalls(std::vector<TraceCommunicator> communicators, u32 tasks, CollectiveRulesChoice choice)
    : tasks_(tasks), choice_(std::move(choice)) {
  for (TraceCommunicator& communicator : communicators) {
    Group& group = groups_.emplace_back();
    group.members = std::move(communicator.members);
    for (u32 rank = 0; rank < group.members.size(); ++rank) group.ranks.emplace_back(group.members[rank], rank);
    std::ranges::sort(group.ranks);
  }
}

u32 CollectiveCalls::rank_of(const Group& group, u32 task) const {
  if (group.members.empty()) return task;
  const auto found = std::ranges::lower_bound(group.ranks, task, {}, &std::pair<u32, u32>::first);
  if (found == group.ranks.end() || found->first != task)
    throw InputError(
        fmt::format("task {} has a collective call on a communicator of {} tasks of which it is none; check the trace",
                    task, group.members.size()));
  return found->second;
}

const CollectiveCalls::Group& CollectiveCalls::group_of(u32 task, const TraceEvent& call) const {
  if (call.communicator < groups_.size()) return groups_[call.communicator];
  throw InputError(fmt::format("task {} has a collective call on communicator {}, which the trace does not define",
                               task, call.communicator));
}

u32 CollectiveCalls::ranks(u32 communicator) const {
  const Group& group = groups_[communicator];
  return group.members.empty() ? tasks_ : static_cast<u32>(group.members.size());
}

u64 CollectiveCalls::known(u64 bytes, const TraceEvent& call) const {
  if (bytes != TraceEvent::unknown_bytes) return bytes;
  if (choice_.has_unknown_bytes) return choice_.unknown_bytes;
  throw InputError(fmt::format("the trace has {} calls without their sizes; give workload.collective_bytes",
                               name_of(call.operation)));
}

Op CollectiveCalls::meeting(u32 task, const TraceEvent& call, u32 number) const {
  const Group& group = group_of(task, call);
  const u32 members = ranks(call.communicator), rank = rank_of(group, task);
  if (members == 1) return {};
  const bool is_root = rank == (call.root == TraceEvent::no_root ? 0 : rank_of(group, call.root));
  Op op{.kind = OpKind::meet, .peer = static_cast<u32>(call.operation), .tag = number};
  op.communicator = call.communicator;
  op.is_synchronous = is_root;
  if (is_root) {
    const auto [sent, received] = sizes_of(call);
    op.amount = choice_.costs->ps(call.operation, members, sent, received);
  }
  return op;
}

/// Bytes that the root's call sends and receives. What no format tells is as in traces for Dimemas (Extrae's
/// Get_GlobalOP_RecvSize): the root of a broadcast receives nothing, and a barrier has no data.
std::pair<u64, u64> CollectiveCalls::sizes_of(const TraceEvent& call) const {
  const u64 sent = call.sent.empty() ? known(call.bytes, call) : sum_of(call.sent);
  switch (call.operation) {
    case Collective::barrier:
      return {0, 0};
    case Collective::broadcast:
      return {sent, 0};
    case Collective::reduce:
    case Collective::allreduce:
    case Collective::scan:
    case Collective::exscan:
    case Collective::reduce_scatter:
    case Collective::reduce_scatter_block:
      return {sent, sent};
    default:
      break;
  }
  if (!call.received.empty()) return {sent, sum_of(call.received)};
  const u64 received = known(call.bytes_received, call);
  return {sent, received == 0 ? sent : received};
}

void CollectiveCalls::append(u32 task, const TraceEvent& call, std::vector<Op>& ops) {
  const Group& group = group_of(task, call);
  const u32 ranks = this->ranks(call.communicator);
  if (ranks == 1) return;
  const u32 rank = rank_of(group, task);
  const u32 root = call.root == TraceEvent::no_root ? 0 : rank_of(group, call.root);
  const u32 place = (rank + ranks - root) % ranks;  // behind the root
  const auto part = program(call, place, root, ranks);
  if (part == nullptr) return;
  const auto stream = part->open(TaskId(place));
  for (Op op = stream->next(); op.kind != OpKind::end; op = stream->next()) {
    if (op.kind == OpKind::send || op.kind == OpKind::receive) {
      const u32 peer = static_cast<u32>((u64{op.peer} + root) % ranks);
      op.peer = group.members.empty() ? peer : group.members[peer];
      op.tag |= of_a_collective;
      op.communicator = of_a_collective | call.communicator;
    }
    ops.push_back(op);
  }
}

CollectiveSpec CollectiveCalls::spec_of(const TraceEvent& call, u32 place, u32 root, u32 ranks) const {
  CollectiveSpec spec;
  spec.tasks = ranks;
  spec.library = choice_.library;
  spec.operation = name_of(call.operation);
  const auto known = [&](u64 bytes) { return this->known(bytes, call); };
  const auto counts = [&](std::vector<u64> pieces) {
    if (pieces.size() != ranks)
      throw InputError(
          fmt::format("a {} of {} tasks has {} pieces; check the trace", spec.operation, ranks, pieces.size()));
    spec.counts = std::make_shared<PieceCounts>(from_root(std::move(pieces), root), ranks);
  };
  switch (call.operation) {
    case Collective::reduce_scatter:
      // Pieces may differ in MPI; here they are of their mean length.
      spec.message_bytes = call.received.empty() ? known(call.bytes) : (sum_of(call.received) + ranks - 1) / ranks;
      break;
    case Collective::gatherv:
    case Collective::scatterv: {
      const bool gathers = call.operation == Collective::gatherv;
      const std::vector<u64>& listed = gathers ? call.received : call.sent;
      if (place != 0) {
        std::vector<u64> own(ranks, 0);
        own[(place + root) % ranks] = known(gathers ? call.bytes : call.bytes_received);
        counts(std::move(own));
      } else {
        counts(listed.empty() ? shares_of(known(gathers ? call.bytes_received : call.bytes), ranks) : listed);
      }
      break;
    }
    case Collective::allgatherv:
      counts(call.received.empty() ? shares_of(known(call.bytes_received), ranks) : call.received);
      break;
    case Collective::all_to_allv:
    case Collective::all_to_allw: {
      spec.operation = name_of(Collective::all_to_allv);
      std::vector<u64> sent = call.sent.empty() ? shares_of(known(call.bytes), ranks) : call.sent;
      std::vector<u64> received = call.received.empty() ? shares_of(known(call.bytes_received), ranks) : call.received;
      if (sent.size() != ranks || received.size() != ranks)
        throw InputError(fmt::format("a {} of {} tasks has {} pieces to send and {} to receive; check the trace",
                                     spec.operation, ranks, sent.size(), received.size()));
      spec.counts = std::make_shared<PieceCounts>(place, std::move(sent), std::move(received));
      break;
    }
    case Collective::barrier:
      break;
    default:
      spec.message_bytes = known(call.bytes);
  }
  return spec;
}

std::shared_ptr<const Program> CollectiveCalls::make(const CollectiveSpec& spec) const {
  const u64 longest = longest_message_bytes(spec);
  if (longest > choice_.limits.message_bytes)
    throw InputError(fmt::format("{} of {} tasks sends a message that is too long: {}", spec.operation, spec.tasks,
                                 too_many_packets(longest, choice_.limits)));
  return make_collective(spec);
}

std::shared_ptr<const Program> CollectiveCalls::program(const TraceEvent& call, u32 place, u32 root, u32 ranks) {
  const CollectiveSpec spec = spec_of(call, place, root, ranks);
  const bool no_data = spec.counts == nullptr && spec.message_bytes == 0 && call.operation != Collective::barrier;
  if (no_data) return nullptr;
  if (has_pieces_of_any_length(call.operation)) return make(spec);
  if (programs_.size() > most_kept_programs) programs_.clear();
  auto& kept = programs_[{call.operation, ranks, spec.message_bytes}];
  if (kept == nullptr) kept = make(spec);
  return kept;
}

}  // namespace weft::workloads
