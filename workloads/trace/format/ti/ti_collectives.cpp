// Collective calls of time-independent traces as events; all are on all tasks.
#include <algorithm>
#include <fmt/format.h>
#include <numeric>

#include "engine/base/error.hpp"
#include "workloads/trace/format/ti/ti_reader.hpp"

namespace weft::workloads {
namespace {

u64 sum_of_pieces(const std::vector<u64>& pieces) {
  return pieces.empty() ? TraceEvent::unknown_bytes : std::accumulate(pieces.begin(), pieces.end(), u64{0});
}

}  // namespace

/// How many counts a call with one for each task has.
std::size_t TiReader::listed_tasks(const char* name) const {
  if (trace_.tasks != TiTrace::unknown_tasks) return trace_.tasks;
  lines_.reject(
      fmt::format("{} in a pipe (how many tasks there are is not known, so where its counts end is not)", name),
      fields_[1], "a file");
}

/// Bytes for each task; of unknown types an empty list.
std::vector<u64> TiReader::counts(std::size_t first, u64 each) const {
  std::vector<u64> result;
  if (each == TraceEvent::unknown_bytes) return result;
  for (std::size_t i = 0; i < trace_.tasks; ++i) result.push_back(data_bytes(first + i, each));
  return result;
}

void TiReader::collective(Collective operation) {
  TraceEvent event;
  event.kind = Kind::collective;
  event.operation = operation;
  std::size_t flops_field = 0;
  const auto root = [&](std::size_t field) {
    event.root = field < fields_.size() ? rank_at(field, "root") : 0;
    return event.root == task_;
  };
  switch (operation) {
    case Collective::barrier:
      break;
    case Collective::broadcast:
      expect(1, 3);
      root(3);
      event.bytes = data_bytes(2, type_bytes(4));
      break;
    case Collective::reduce:
    case Collective::allreduce:
    case Collective::scan:
    case Collective::exscan: {
      const std::size_t more = has_root(operation) ? 1 : 0;
      expect(2, 3 + more);
      if (more != 0) root(4);
      event.bytes = data_bytes(2, type_bytes(4 + more));
      flops_field = 3;
      break;
    }
    case Collective::all_to_all:
    case Collective::allgather:
      expect(2, 4);
      event.bytes = data_bytes(2, type_bytes(4));
      break;
    case Collective::gather: {
      expect(2, 5);
      const bool at_root = root(4);
      event.bytes = at_root ? data_bytes(3, type_bytes(6)) : data_bytes(2, type_bytes(5));
      break;
    }
    case Collective::scatter: {
      expect(2, 5);
      const bool at_root = root(4);
      event.bytes = at_root ? data_bytes(2, type_bytes(5)) : data_bytes(3, type_bytes(6));
      break;
    }
    case Collective::reduce_scatter: {
      const std::size_t tasks = listed_tasks("reduceScatter");
      expect(tasks + 1, tasks + 2);
      event.received = counts(2, type_bytes(3 + tasks));
      const u64 all = sum_of_pieces(event.received);
      event.bytes = all == TraceEvent::unknown_bytes ? all : (all + tasks - 1) / tasks;
      flops_field = 2 + tasks;
      break;
    }
    default:
      list_collective(event);
  }
  queue(task_, std::move(event));
  if (flops_field != 0) flops(flops_field);
}

void TiReader::list_collective(TraceEvent& event) {
  const std::size_t tasks = listed_tasks("a call with a count for each task");
  const auto root = [&](std::size_t field) {
    event.root = field < fields_.size() ? rank_at(field, "root") : 0;
    return event.root == task_;
  };
  switch (event.operation) {
    case Collective::allgatherv: {
      // SCOUNT, counts, then types, or displacements, or a type and displacements.
      expect(tasks + 1, 2 * tasks + 3);
      const std::size_t rest = fields_.size() - (3 + tasks);
      const bool typed = rest > 0 && (rest <= 2 || rest > tasks);
      const u64 each = type_bytes(typed ? 3 + tasks : fields_.size());
      event.bytes = data_bytes(2, each);
      event.received = counts(3, rest == 2 ? type_bytes(4 + tasks) : each);
      event.bytes_received = sum_of_pieces(event.received);
      break;
    }
    case Collective::gatherv:
      expect(tasks + 1, tasks + 4);
      event.bytes = data_bytes(2, type_bytes(4 + tasks));
      if (!root(3 + tasks)) break;
      event.received = counts(3, type_bytes(5 + tasks));
      event.bytes_received = sum_of_pieces(event.received);
      break;
    case Collective::scatterv:
      expect(tasks + 1, tasks + 4);
      event.bytes_received = data_bytes(2 + tasks, type_bytes(5 + tasks));
      if (!root(3 + tasks)) break;
      event.sent = counts(2, type_bytes(4 + tasks));
      event.bytes = sum_of_pieces(event.sent);
      break;
    default:  // all_to_allv: the lengths of both buffers stand in front of the counts
      expect(2 * tasks + 2, 2 * tasks + 4);
      event.sent = counts(3, type_bytes(4 + 2 * tasks));
      event.received = counts(4 + tasks, type_bytes(5 + 2 * tasks));
      event.bytes = sum_of_pieces(event.sent);
      event.bytes_received = sum_of_pieces(event.received);
  }
}

}  // namespace weft::workloads
