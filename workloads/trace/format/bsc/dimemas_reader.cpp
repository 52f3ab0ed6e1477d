// Records of Dimemas as events; see the header.
#include "workloads/trace/format/bsc/dimemas_reader.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace weft::workloads {
namespace {

constexpr u64 dimemas_minus_one = ~u64{0};
constexpr u64 plain_receive = 0, started_receive = 1, awaited_receive = 2;
constexpr u64 synchronous_bit = 1, immediate_bit = 2;
constexpr u64 sync_of_wait = 2;
constexpr u64 first_immediate = 16;
constexpr u64 most_pending = u64{1} << 24;  ///< requests at a time, of all tasks

/// By number in old traces, and in newer ones, where the non-blocking ones follow in the same order.
constexpr std::array<Collective, 14> old_operations = {
    Collective::barrier,        Collective::broadcast,   Collective::gather,    Collective::gatherv,
    Collective::scatter,        Collective::scatterv,    Collective::allgather, Collective::allgatherv,
    Collective::all_to_all,     Collective::all_to_allv, Collective::reduce,    Collective::allreduce,
    Collective::reduce_scatter, Collective::scan};
constexpr std::array<Collective, first_immediate> newer_operations = {
    Collective::barrier,        Collective::broadcast,
    Collective::gather,         Collective::gatherv,
    Collective::scatter,        Collective::scatterv,
    Collective::allgather,      Collective::allgatherv,
    Collective::all_to_all,     Collective::all_to_allv,
    Collective::reduce,         Collective::allreduce,
    Collective::reduce_scatter, Collective::reduce_scatter_block,
    Collective::scan,           Collective::all_to_allw};

}  // namespace

DimemasReader::DimemasReader(std::unique_ptr<ByteSource> source, std::shared_ptr<const CollectiveRoots> roots)
    : text_(std::move(source)), header_(read_dimemas_header(text_)), roots_(std::move(roots)) {}

bool DimemasReader::next(TraceRecord& record) {
  while (read_dimemas_line(text_, header_, line_)) {
    position_ = text_.line();
    record.task = line_.task;
    record.event = TraceEvent{};
    if (line_.type == dimemas_collective) {
      take_collective(record);
      return true;
    }
    if (line_.type == dimemas_send || line_.type == dimemas_receive) {
      if (take_message(record)) return true;
      continue;
    }
    record.event.bytes = line_.duration_ns;
    if (line_.duration_ns > 0) return true;
  }
  return false;
}

/// False for a message of no process.
bool DimemasReader::take_message(TraceRecord& record) {
  constexpr std::size_t short_form = 5, long_form = 6;
  const bool sends = line_.type == dimemas_send;
  if (line_.count != short_form && line_.count != long_form) {
    text_.reject(
        "a message has another number of fields", std::to_string(line_.count),
        sends ? "DESTINATION:[THREAD:]BYTES:TAG:COMMUNICATOR:SYNC" : "SOURCE:[THREAD:]BYTES:TAG:COMMUNICATOR:TYPE");
  }
  const std::size_t at = line_.count - 4;  // of bytes; a thread may be -1
  const u64 partner = line_.fields[0];
  const u64 how = in_range(line_.fields[at + 3], sends ? "SYNC" : "TYPE", sends ? 3 : 2);
  TraceEvent& event = record.event;
  event.bytes = in_range(line_.fields[at], "BYTES", max_trace_bytes);
  const bool any_tag = !sends && line_.fields[at + 1] == dimemas_minus_one;
  event.tag = any_tag ? TraceEvent::any : static_cast<u32>(in_range(line_.fields[at + 1], "TAG", max_trace_tag - 1));
  event.communicator = communicator_of(line_.fields[at + 2]);
  if (partner == dimemas_minus_one && sends) return false;
  event.peer = partner == dimemas_minus_one
                   ? TraceEvent::any
                   : static_cast<u32>(in_range(partner, "the partner", header_.tasks - u64{1}));
  if (sends) {
    event.kind = (how & immediate_bit) != 0 ? TraceEvent::Kind::isend : TraceEvent::Kind::send;
    event.synchronous = (how & synchronous_bit) != 0;
    return true;
  }
  TaskState& state = states_[line_.task];
  const Call call{event.peer, event.tag, event.communicator};
  if (how == plain_receive) {
    event.kind = TraceEvent::Kind::receive;
  } else if (how == started_receive) {
    event.kind = TraceEvent::Kind::ireceive;
    event.request = start(state, state.receives[call]);
  } else {
    // A wait for what was not started is a receive.
    const auto started = state.receives.find(call);
    event.kind = started == state.receives.end() ? TraceEvent::Kind::receive : TraceEvent::Kind::wait;
    if (started == state.receives.end()) return true;
    bool is_last = false;
    event.request = end(started->second, is_last);
    if (is_last) state.receives.erase(started);
  }
  return true;
}

void DimemasReader::take_collective(TraceRecord& record) {
  constexpr std::size_t fewest = 6, most = 7;
  if (line_.count != fewest && line_.count != most)
    text_.reject("a collective has another number of fields", std::to_string(line_.count),
                 "OPERATION:COMMUNICATOR:ROOT:ROOT THREAD:SENT:RECEIVED[:SYNC]");
  const u64 known = header_.newer ? 2 * first_immediate : old_operations.size();
  const u64 number = in_range(line_.fields[0], "OPERATION", known - 1);
  TraceEvent& event = record.event;
  event.kind = TraceEvent::Kind::collective;
  event.operation = header_.newer ? newer_operations[number % first_immediate] : old_operations[number];
  event.communicator = communicator_of(line_.fields[1]);
  const bool immediate = number >= first_immediate;
  const bool waits = immediate && line_.count == most && line_.fields[6] == sync_of_wait;
  TaskState& state = states_[line_.task];
  const Call call{number, event.communicator, 0};
  if (waits) {
    const auto started = state.collectives.find(call);
    if (started == state.collectives.end())
      text_.reject("a wait for a collective that was not started", std::to_string(number), "its start before");
    event = TraceEvent{};
    event.kind = TraceEvent::Kind::wait;
    bool is_last = false;
    event.request = end(started->second, is_last);
    event.peer = event.tag = TraceEvent::any;
    event.bytes = TraceEvent::unknown_bytes;
    if (is_last) state.collectives.erase(started);
    return;
  }
  if (immediate) event.request = start(state, state.collectives[call]);
  set_call_sizes(event, in_range(line_.fields[4], "SENT", max_trace_bytes),
                 in_range(line_.fields[5], "RECEIVED", max_trace_bytes));
  if (!has_root(event.operation)) return;
  if (!header_.newer) {
    event.root = static_cast<u32>(in_range(line_.fields[2], "ROOT", header_.tasks - u64{1}));
    return;
  }
  const u64 rooted = state.rooted[event.communicator]++;
  if (roots_ == nullptr) return;
  const u32 root = roots_->root(event.communicator, rooted);
  if (root != CollectiveRoots::unknown) {
    event.root = root;
  } else {
    const auto& members = header_.groups.communicators()[event.communicator].members;
    event.root = members.empty() ? 0 : members.front();
  }
}

u64 DimemasReader::start(TaskState& state, std::list<u64>& calls) {
  if (pending_ == most_pending)
    text_.reject(fmt::format("more than {} requests that nothing waits for", most_pending), "another", "waits");
  ++pending_;
  calls.push_back(state.requests);
  return state.requests++;
}

u64 DimemasReader::end(std::list<u64>& calls, bool& is_last) {
  const u64 request = calls.front();
  calls.pop_front();
  is_last = calls.empty();
  --pending_;
  return request;
}

CollectiveRoots DimemasReader::find_roots() {
  CollectiveRoots roots;
  TraceRecord record;
  while (next(record)) {
    if (record.event.kind != TraceEvent::Kind::collective || !has_root(record.event.operation)) continue;
    roots.add(record.task, record.event.communicator, in_range(line_.fields[2], "whether it is the root", 1) == 1);
  }
  return roots;
}

u32 DimemasReader::communicator_of(u64 name) const {
  const u32 number = header_.groups.number(name);
  if (number == ~u32{0})
    text_.reject("an unknown communicator", std::to_string(static_cast<i64>(name)),
                 "one of those that the trace defines");
  return number;
}

u64 DimemasReader::in_range(u64 value, const char* field, u64 most) const {
  if (value > most)
    text_.reject(fmt::format("{} is out of range", field), std::to_string(static_cast<i64>(value)),
                 fmt::format("0..{}", most));
  return value;
}

}  // namespace weft::workloads
