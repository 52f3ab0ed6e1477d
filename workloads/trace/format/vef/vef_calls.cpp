// Sizes and roots of collective calls of VEF; see the header. X is the size of a message, X_i what is of task i:
//   broadcast X, 0 (root), 0, X; reduce 0, X (root), X, 0; allreduce X, X; gather X_i, sum (root), X_i, 0;
//   scatter sum, X_i (root), 0, X_i; allgather X_i, sum; barrier 0, 0; all-to-all X to each, 0, or the sum, 1.
#include "workloads/trace/format/vef/vef_calls.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "workloads/generator/collective/collective_plan.hpp"

namespace weft::workloads {
namespace {

enum VefOperation : u32 { broadcast, reduce, allreduce, gather, scatter, allgather, barrier, all_to_all };

/// Where pieces have one length.
constexpr std::array<Collective, VefCalls::operations> vef_operations = {
    Collective::broadcast, Collective::reduce,    Collective::allreduce, Collective::gather,
    Collective::scatter,   Collective::allgather, Collective::barrier,   Collective::all_to_all};

/// Whether a task is the root of an operation that has one, by the task's sizes.
bool is_root(u32 operation, const VefPart& part) {
  if (operation == broadcast || operation == scatter) return part.sent > 0;
  return part.received > 0;
}

/// What a task gives, or gets where the root gives.
u64 piece_of(u32 operation, const VefPart& part) {
  return operation == scatter || (operation == broadcast && part.sent == 0) || (operation == reduce && part.sent == 0)
             ? part.received
             : part.sent;
}

}  // namespace

void VefCalls::add(u64 number, u64 group, u32 operation, const VefPart& part, const TextCursor& text) {
  const auto found = header_.groups.find(group);
  if (found == header_.groups.end())
    text.reject("an unknown communicator", fmt::format("C{}", group), "one of those that the trace defines");
  VefPart taken = part;
  taken.rank = VefHeader::rank_of(found->second, part.task);
  if (taken.rank == ~u32{0})
    text.reject(fmt::format("a task is none of communicator C{}", group), std::to_string(part.task),
                "one of its tasks");
  Call& call = calls_[number];
  if (call.parts.empty()) {
    call.group = group;
    call.operation = operation;
  }
  if (call.complete || call.group != group || call.operation != operation) {
    text.reject(fmt::format("collective G{} has lines that do not agree", number),
                fmt::format("C{} {} {}", group, operation, part.task),
                call.complete ? "one line of each task"
                              : fmt::format("communicator C{} and operation {}", call.group, call.operation));
  }
  call.parts.push_back(taken);
  if (call.parts.size() == found->second.size) finish(number, call, text);
}

/// All lines are there.
void VefCalls::finish(u64 number, Call& call, const TextCursor& text) const {
  std::ranges::sort(call.parts, {}, &VefPart::rank);
  const auto refuse = [&](const std::string& problem, u64 got, const std::string& expected) {
    text.reject(fmt::format("{} in collective G{}", problem, number), std::to_string(got), expected);
  };
  const auto twice = std::ranges::adjacent_find(call.parts, {}, &VefPart::rank);
  if (twice != call.parts.end()) refuse("a task is twice", twice->task, "one line of each task");
  call.complete = true;
  call.left = static_cast<u32>(call.parts.size());
  const u32 operation = call.operation;
  if (has_root(vef_operations[operation])) {
    u32 roots = 0;
    bool empty = true;
    for (const VefPart& part : call.parts) {
      empty = empty && part.sent == 0 && part.received == 0;
      if (!is_root(operation, part)) continue;
      call.root = part.rank;
      ++roots;
    }
    // Tasks that get from the root have sizes too.
    if (roots != 1 && !empty)
      refuse("the root is not to be known", roots, "sizes of which one task's say that it is the root");
  }
  const u64 first = piece_of(operation, call.parts[0]);
  const auto other =
      std::ranges::find_if(call.parts, [&](const VefPart& part) { return piece_of(operation, part) != first; });
  call.even = other == call.parts.end();
  if (operation == all_to_all) {
    const u64 vectors =
        static_cast<u64>(std::ranges::count_if(call.parts, [](const VefPart& part) { return part.received != 0; }));
    if (vectors != 0 && vectors != call.parts.size())
      refuse("some tasks have a vector form", vectors, "all tasks or none");
    if (vectors == 0 && !call.even) refuse("sizes differ", piece_of(operation, *other), std::to_string(first));
    call.same_totals = call.even;
    call.even = vectors == 0;
  }
  if ((operation == broadcast || operation == reduce || operation == allreduce) && !call.even)
    refuse("sizes differ", piece_of(operation, *other), std::to_string(first));
}

bool VefCalls::complete(u64 number) const {
  const auto found = calls_.find(number);
  return found != calls_.end() && found->second.complete;
}

void VefCalls::fill(u64 number, u32 task, TraceEvent& event) {
  Call& call = calls_.at(number);
  const VefHeader::Group& group = header_.groups.at(call.group);
  const u32 rank = VefHeader::rank_of(group, task);
  const VefPart& part = call.parts[rank];
  event.kind = TraceEvent::Kind::collective;
  event.operation = call.even ? vef_operations[call.operation] : listed_form(vef_operations[call.operation]);
  event.communicator = group.number;
  const u32 operation = call.operation;
  if (has_root(event.operation)) event.root = call.parts[call.root].task;
  event.bytes = piece_of(operation, part);
  const u32 ranks = static_cast<u32>(call.parts.size());
  if (!call.even) {
    const auto pieces = [&] {
      std::vector<u64> all;
      for (const VefPart& each : call.parts) all.push_back(piece_of(operation, each));
      return all;
    };
    if (operation == gather && rank == call.root) event.received = pieces();
    if (operation == scatter) {
      event.bytes = rank == call.root ? part.sent : 0;
      event.bytes_received = part.received;
      if (rank == call.root) event.sent = pieces();
    }
    if (operation == gather) event.bytes_received = part.received;
    if (operation == allgather) {
      event.received = pieces();
      event.bytes_received = part.received;
    }
    if (operation == all_to_all && call.same_totals) {
      event.bytes_received = part.sent;
    } else if (operation == all_to_all) {
      // Each gives the others even shares of its total.
      for (u32 other = 0; other < ranks; ++other) {
        event.sent.push_back(even_share({0, part.sent}, ranks, other).bytes);
        event.received.push_back(even_share({0, call.parts[other].sent}, ranks, rank).bytes);
        event.bytes_received += event.received.back();
      }
    }
  }
  if (--call.left == 0) calls_.erase(number);
}

std::string VefCalls::incomplete() const {
  const auto least = std::ranges::min_element(calls_, {}, [](const auto& entry) { return entry.first; });
  if (least == calls_.end()) return {};
  return fmt::format("G{} has {} of its {} lines", least->first, least->second.parts.size(),
                     header_.groups.at(least->second.group).size);
}

}  // namespace weft::workloads
