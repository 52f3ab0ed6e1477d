// Collective calls of DUMPI traces as events.
#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <optional>

#include "engine/base/error.hpp"
#include "workloads/trace/format/dumpi/dumpi_reader.hpp"

namespace weft::workloads {
namespace {

/// By function; none of those that are no collective calls of data.
std::optional<Collective> dumpi_collective(u16 function) {
  static const std::vector<std::optional<Collective>> operations = [] {
    std::vector<std::optional<Collective>> all(dumpi_enter);
    for (u16 each = 0; each < dumpi_enter; ++each) all[each] = mpi_collective(dumpi_name(each));
    return all;
  }();
  return function < operations.size() ? operations[function] : std::nullopt;
}

u64 known_sum(const std::vector<u64>& values) {
  return std::ranges::find(values, TraceEvent::unknown_bytes) != values.end()
             ? TraceEvent::unknown_bytes
             : std::accumulate(values.begin(), values.end(), u64{0});
}

}  // namespace

bool DumpiReader::collective() {
  const std::optional<Collective> operation = dumpi_collective(call_.function);
  if (!operation) return false;
  const DumpiCommunicator group = communicator();
  if (group.inter)
    body_.reject(call_.offset, fmt::format("{} on an inter-communicator", dumpi_name(call_.function)),
                 "collective calls within one group");
  if (group.kind == DumpiCommunicator::Kind::self) {
    other_call();
    return true;
  }
  TraceEvent event;
  event.kind = Kind::collective;
  event.begin_ns = begin_ns_;
  event.end_ns = end_ns_;
  event.operation = *operation;
  event.communicator = group.number;
  bool at_root = false;
  if (has_root(event.operation)) {
    const i64 root = value(DumpiField::root);
    if (root < 0 || root >= i64{group.ranks})
      body_.reject(
          call_.offset,
          fmt::format("{} with a root that is not in its communicator (got {})", dumpi_name(call_.function), root),
          fmt::format("0..{}", group.ranks - 1));
    event.root = communicators_.task_of(group, static_cast<u32>(root));
    at_root = event.root == task_;
  }
  collective_sizes(event, group, at_root);
  queue(task_, std::move(event));
  return true;
}

/// Bytes of each count; of unknown types an empty list.
std::vector<u64> DumpiReader::list(DumpiList counts, i64 type) const {
  std::vector<u64> result;
  for (const i32 count : call_.at(counts)) result.push_back(bytes(count, type));
  if (known_sum(result) == TraceEvent::unknown_bytes) result.clear();
  return result;
}

/// Sizes of a call. In place, only what is received says how much there is, so that it goes first wherever it is given.
void DumpiReader::collective_sizes(TraceEvent& event, const DumpiCommunicator& group, bool at_root) {
  using Field = DumpiField;
  const auto size = [&](Field count, Field type) { return bytes(value(count), value(type)); };
  const auto listed = [&](DumpiList counts, Field type) {
    std::vector<u64> result = list(counts, value(type));
    if (!call_.at(counts).empty() && call_.at(counts).size() != group.ranks && !trace_->alone)
      body_.reject(call_.offset, fmt::format("{} with {} counts", dumpi_name(call_.function), call_.at(counts).size()),
                   fmt::format("{}, as many as its communicator has tasks", group.ranks));
    return result;
  };
  const auto total = [](const std::vector<u64>& pieces) {
    return pieces.empty() ? TraceEvent::unknown_bytes : known_sum(pieces);
  };
  switch (event.operation) {
    case Collective::barrier:
      break;
    case Collective::gather:
      event.bytes = at_root ? size(Field::recvcount, Field::recvtype) : size(Field::sendcount, Field::sendtype);
      break;
    case Collective::scatter:
      event.bytes = at_root ? size(Field::sendcount, Field::sendtype) : size(Field::recvcount, Field::recvtype);
      break;
    case Collective::allgather:
    case Collective::all_to_all:
      event.bytes = size(Field::recvcount, Field::recvtype);
      break;
    case Collective::gatherv:
      event.bytes = size(Field::sendcount, Field::sendtype);
      if (at_root) {
        event.received = listed(DumpiList::recvcounts, Field::recvtype);
        event.bytes_received = total(event.received);
      }
      break;
    case Collective::scatterv:
      event.bytes_received = size(Field::recvcount, Field::recvtype);
      if (at_root) {
        event.sent = listed(DumpiList::sendcounts, Field::sendtype);
        event.bytes = total(event.sent);
      }
      break;
    case Collective::allgatherv:
      event.bytes = size(Field::sendcount, Field::sendtype);
      event.received = listed(DumpiList::recvcounts, Field::recvtype);
      event.bytes_received = total(event.received);
      break;
    case Collective::all_to_allv:
      event.sent = listed(DumpiList::sendcounts, Field::sendtype);
      event.received = listed(DumpiList::recvcounts, Field::recvtype);
      event.bytes = total(event.sent);
      event.bytes_received = total(event.received);
      break;
    case Collective::all_to_allw: {
      const auto typed = [&](DumpiList counts, DumpiList types) {
        std::vector<u64> result;
        const auto& all = call_.at(counts);
        const auto& of = call_.at(types);
        for (std::size_t i = 0; i < all.size(); ++i)
          result.push_back(i < of.size() ? bytes(all[i], of[i]) : TraceEvent::unknown_bytes);
        if (known_sum(result) == TraceEvent::unknown_bytes || result.size() != group.ranks) result.clear();
        return result;
      };
      event.sent = typed(DumpiList::sendcounts, DumpiList::sendtypes);
      event.received = typed(DumpiList::recvcounts, DumpiList::recvtypes);
      event.bytes = total(event.sent);
      event.bytes_received = total(event.received);
      break;
    }
    case Collective::reduce_scatter: {
      event.received = listed(DumpiList::recvcounts, Field::datatype);
      const u64 all = total(event.received);
      event.bytes = all == TraceEvent::unknown_bytes ? all : (all + group.ranks - 1) / group.ranks;
      break;
    }
    default:
      event.bytes = size(Field::count, Field::datatype);
  }
}

}  // namespace weft::workloads
