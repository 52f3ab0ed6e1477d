// Collective calls, and others that are recorded by name, of weft's tracer: as one event, or as what lies inside.
#include <algorithm>
#include <array>

#include "workloads/trace/format/weft/weft_trace_reader.hpp"

namespace weft::workloads {
namespace {

/// By records::Call.
const std::array<Collective, records::collective_calls>& recorded_collectives() {
  static const auto operations = [] {
    std::array<Collective, records::collective_calls> all{};
    for (u32 call = 0; call < all.size(); ++call) all[call] = mpi_collective(records::call_names[call]).value();
    return all;
  }();
  return operations;
}

}  // namespace

u32 WeftTraceReader::call_of(Lane& lane) const { return static_cast<u32>(lane.fields->number(records::calls - 1)); }

std::vector<u64> WeftTraceReader::list_of(Lane& lane) const {
  // Each takes a byte or more, of which there are no more than in the block.
  std::vector<u64> list(lane.fields->number(lane.bytes.size()));
  for (u64& each : list) each = lane.fields->number(max_trace_bytes);
  return list;
}

void WeftTraceReader::take_collective(Lane& lane, u8 flags) {
  RecordFields& fields = *lane.fields;
  if (lane.is_inside) bytes_.reject(position_, "a call begins inside of another");
  const u32 call = call_of(lane);
  if (call >= records::collective_calls) bytes_.reject(position_, "a collective call that is none");
  TraceEvent event;
  event.kind = TraceEvent::Kind::collective;
  event.operation = recorded_collectives()[call];
  const KnownCommunicator& communicator = communicator_of(fields.number() >> 1);
  event.communicator = communicator.number;
  const i64 root = fields.signed_number() - 1;
  event.bytes = fields.number(max_trace_bytes);
  event.bytes_received = fields.number(max_trace_bytes);
  event.sent = list_of(lane);
  event.received = list_of(lane);
  // Between two groups, or of a task alone: no operation of one communicator.
  const bool is_plain = !communicator.is_inter && !communicator.is_single;
  if (root >= 0 && is_plain) event.root = task_of(communicator, false, root);
  if ((flags & records::special) != 0) {
    const u64 handle = request_of(lane);
    if (!is_plain) return;
    event.request = add_request(lane, handle, {});
    event.begin_ns = event.end_ns = 0;
    TraceEvent& added = add(lane, event.kind);
    event.begin_ns = added.begin_ns;
    event.end_ns = added.end_ns;
    added = std::move(event);
    return;
  }
  lane.is_inside = true;
  lane.inside_name = call;
  if (!as_messages_ && is_plain) {
    lane.held = std::move(event);
    lane.held->begin_ns = lane.begin_ns;
  } else {
    add_region(lane, TraceEvent::Kind::enter, lane.inside_name, lane.begin_ns);
  }
}

void WeftTraceReader::take_leave(Lane& lane) {
  if (!lane.is_inside) bytes_.reject(position_, "a call ends that has not begun");
  finish_call(lane);
}

void WeftTraceReader::finish_call(Lane& lane) {
  lane.is_inside = false;
  if (lane.held) {
    lane.last_ns = std::max(lane.last_ns, lane.begin_ns);
    lane.begin_ns = lane.held->begin_ns;
    const TraceEvent& times = add(lane, TraceEvent::Kind::collective);
    lane.held->begin_ns = times.begin_ns;
    lane.held->end_ns = times.end_ns;
    last_queued() = std::move(*lane.held);
    lane.held.reset();
    return;
  }
  // Receives whose completion nobody has seen have ended by now.
  for (const u64 handle : lane.inner_order) {
    const auto found = lane.inner_started.find(handle);
    if (found == lane.inner_started.end()) continue;
    for (const Started& started : found->second) {
      TraceEvent& event = add(lane, TraceEvent::Kind::wait);
      event.request = started.request;
      event.peer = event.tag = TraceEvent::any;
      event.bytes = TraceEvent::unknown_bytes;
    }
    lane.inner_started.erase(found);
  }
  lane.inner_order.clear();
  add_region(lane, TraceEvent::Kind::leave, lane.inside_name, lane.last_ns);
}

}  // namespace weft::workloads
