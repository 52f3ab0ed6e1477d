// Calls as states and messages; see the header.
#include "workloads/trace/format/mpe/mpe_writer.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <queue>

#include "engine/base/error.hpp"

namespace weft::workloads {
namespace {

/// States of the user have numbers from here, and events, each with its own, from there.
constexpr u32 user_states = mpe_reserved_states;
constexpr i32 user_moments = 5000;
/// Numbers that MPE reserves and does not use: for calls of others.
constexpr u32 first_unused_state = 126, end_of_unused_states = 250;
constexpr std::size_t most_name_bytes = 31;
constexpr i32 no_event = -1;
constexpr u64 most_message = INT32_MAX;
constexpr u64 exact_ns = u64{1} << 51;

bool is_send(const TraceEvent& event) {
  return event.kind == TraceEvent::Kind::send || event.kind == TraceEvent::Kind::isend;
}

}  // namespace

MpeWriter::MpeWriter(std::shared_ptr<const TraceStore> store, MpeNumbering numbering)
    : store_(std::move(store)), numbering_(numbering) {
  begin_of_name_.assign(index().names.size(), no_event);
  moment_of_name_.assign(index().names.size(), no_event);
  next_reserved_ = first_unused_state;
  next_free_ = user_states;
}

void MpeWriter::write(const std::function<void(const MpeRecord&)>& put) {
  losses_.clear();
  const u32 count = index().tasks;
  std::vector<Task> tasks(count);
  using Due = std::pair<i64, u32>;
  std::priority_queue<Due, std::vector<Due>, std::greater<>> due;
  for (u32 number = 0; number < count; ++number) {
    tasks[number].events = TraceStore::events(store_, number, count);
    if (fill(number, tasks[number])) due.emplace(tasks[number].records[0].time_ns, number);
  }
  while (!due.empty()) {
    const u32 number = due.top().second;
    due.pop();
    Task& task = tasks[number];
    bool more = true;
    while (more) {
      const MpeRecord& record = task.records[task.at];
      if (!due.empty() && Due{record.time_ns, number} > due.top()) break;
      put(record);
      more = ++task.at < task.records.size() || fill(number, task);
    }
    if (more) due.emplace(task.records[task.at].time_ns, number);
  }
}

/// Takes calls until there are records; false at the end.
bool MpeWriter::fill(u32 number, Task& task) {
  task.records.clear();
  task.at = 0;
  while (task.records.empty()) {
    if (task.at_end) return false;
    TraceEvent event;
    do {
      task.at_end = !task.events->next(event);
      if (!task.at_end) task.group.push_back(event);
    } while (!task.at_end && (task.group.size() == 1 || event.continues));
    const std::size_t events = task.group.size() - (task.at_end ? 0 : 1);
    if (events > 0) add_call(number, task, events);
    task.group.erase(task.group.begin(), task.group.begin() + static_cast<std::ptrdiff_t>(events));
    if (task.at_end && task.computed) add_event(number, task, moment_of("end of computation"), 0, task.now_ns);
  }
  return true;
}

void MpeWriter::add_call(u32 number, Task& task, std::size_t events) {
  using Kind = TraceEvent::Kind;
  const TraceEvent& first = task.group[0];
  const bool has_times = index().has_times;
  if (first.kind >= Kind::probe || first.kind == Kind::compute) {
    for (std::size_t i = 0; i < events; ++i) add_single(number, task, task.group[i]);
    return;
  }
  std::size_t sends = 0, started = 0, receives = 0;
  for (std::size_t i = 0; i < events; ++i) {
    const TraceEvent& event = task.group[i];
    sends += is_send(event) ? 1 : 0;
    started += event.kind == Kind::isend ? 1 : 0;
    receives += event.kind == Kind::ireceive ? 1 : 0;
  }
  const bool alone = events == 1;
  const char* name = "MPI_Sendrecv";
  if (sends == 0) name = alone ? (first.kind == Kind::wait ? "MPI_Wait" : "MPI_Recv") : "MPI_Waitall";
  if (receives == events) name = alone ? "MPI_Irecv" : "MPI_Startall";
  if (started == events) name = alone ? (first.synchronous ? "MPI_Issend" : "MPI_Isend") : "MPI_Startall";
  if (alone && first.kind == Kind::send) name = first.synchronous ? "MPI_Ssend" : "MPI_Send";
  const i32 begin = begin_of(name, true);
  if (has_times) task.now_ns = std::max(task.now_ns, first.begin_ns);
  add_event(number, task, begin, first.communicator, task.now_ns);
  for (std::size_t i = 0; i < events; ++i) {
    const TraceEvent& event = task.group[i];
    if (!is_send(event) && has_times) task.now_ns = std::max(task.now_ns, event.end_ns);
    if (event.synchronous && !alone) lose("the synchronous mode of {} sends of calls with several messages");
    if (event.kind == Kind::isend && event.request != TraceEvent::no_request) lose("the requests of {} sends");
    if (event.kind == Kind::ireceive) {
      task.started.insert_or_assign(event.request, event);
    } else if (event.kind != Kind::wait) {
      add_message(number, task, event);
    } else if (const auto found = task.started.find(event.request); found != task.started.end()) {
      TraceEvent received = std::move(found->second);
      task.started.erase(found);
      received.kind = Kind::receive;
      if (event.peer != TraceEvent::any) received.peer = event.peer;
      if (event.tag != TraceEvent::any) received.tag = event.tag;
      if (event.bytes != TraceEvent::unknown_bytes) received.bytes = event.bytes;
      add_message(number, task, received);
    }
  }
  if (has_times) task.now_ns = std::max(task.now_ns, task.group[events - 1].end_ns);
  add_event(number, task, begin + 1, first.communicator, task.now_ns);
}

/// What has no messages: collectives, names, computing.
void MpeWriter::add_single(u32 number, Task& task, const TraceEvent& event) {
  using Kind = TraceEvent::Kind;
  const bool has_times = index().has_times;
  if (has_times) task.now_ns = std::max(task.now_ns, event.begin_ns);
  const u64 begin_ns = task.now_ns;
  if (has_times) task.now_ns = std::max(task.now_ns, event.end_ns);
  if (event.kind == Kind::compute) {
    if (!has_times) task.now_ns += event.bytes;
    task.computed = true;
    return;
  }
  if (event.kind == Kind::count) return lose("{} counts of counters");
  if (event.kind == Kind::enter || event.kind == Kind::leave || event.kind == Kind::mark)
    return add_event(number, task, name_event(event), 0, begin_ns);
  std::string name = "MPI_Probe";
  if (event.kind == Kind::collective) {
    name = mpi_name(event.operation);
    const bool sized = event.bytes != TraceEvent::unknown_bytes && event.operation != Collective::barrier;
    if (sized || event.root != TraceEvent::no_root) lose("sizes and roots of {} collective calls");
    if (event.request != TraceEvent::no_request)
      lose("{} non-blocking collective calls (they are written as blocking ones where they start)");
  } else {
    lose("the partners of {} probes");
  }
  const i32 begin = begin_of(name, true);
  add_event(number, task, begin, event.communicator, begin_ns);
  add_event(number, task, begin + 1, event.communicator, task.now_ns);
}

void MpeWriter::add_message(u32 number, Task& task, const TraceEvent& event) {
  if (event.peer == TraceEvent::any) return lose("{} receives of an unknown sender (they are left out)");
  if (event.tag > most_message && event.tag != TraceEvent::any) lose("tags of {} messages beyond 2^31 - 1 (negative)");
  MpeRecord record{.kind = is_send(event) ? MpeRecord::Kind::sent : MpeRecord::Kind::received,
                   .task = number,
                   .peer = event.peer,
                   .tag = event.tag,
                   .communicator = event.communicator,
                   .time_ns = static_cast<i64>(task.now_ns)};
  if (event.bytes == TraceEvent::unknown_bytes) {
    lose("that the sizes of {} messages are not known (0 stands for them)");
  } else {
    if (event.bytes > most_message) lose("sizes of {} messages beyond 2^31 - 1 (they are cut to that)");
    record.bytes = static_cast<u32>(std::min(event.bytes, most_message));
  }
  task.records.push_back(record);
}

void MpeWriter::add_event(u32 number, Task& task, i32 type, u32 communicator, u64 at_ns) {
  if (at_ns > exact_ns) lose("nanoseconds of {} times beyond 26 days");
  task.computed = false;
  task.records.push_back(
      {.task = number, .type = type, .communicator = communicator, .time_ns = static_cast<i64>(at_ns)});
}

i32 MpeWriter::name_event(const TraceEvent& event) {
  const TraceName& name = index().names.at(event.name);
  if (event.kind == TraceEvent::Kind::mark) {
    i32& moment = moment_of_name_[event.name];
    if (moment == no_event) moment = moment_of(name.text);
    return moment;
  }
  i32& begin = begin_of_name_[event.name];
  if (begin == no_event) begin = begin_of(name.text, name.is_call);
  return begin + (event.kind == TraceEvent::Kind::leave ? 1 : 0);
}

i32 MpeWriter::begin_of(const std::string& name, bool is_call) {
  const auto found = states_.find(name);
  if (found != states_.end()) return found->second.begin;
  if (name.size() > most_name_bytes) lose("the ends of {} names beyond 31 characters");
  MpeWrittenState state{.text = name.substr(0, most_name_bytes)};
  const bool one_of_mpi = mpe_state_kind(name).role != MpeRole::region;
  const bool is_hidden = is_call && !one_of_mpi && numbering_ == MpeNumbering::from_zero;
  if (is_call && !one_of_mpi && !is_hidden) lose("that {} names are those of calls");
  if (const auto reserved = mpe_state_number(name)) {
    state.number = *reserved;
  } else if (is_hidden && next_reserved_ < end_of_unused_states) {
    state.number = next_reserved_++;
  } else {
    state.number = next_free_++;
  }
  state.begin = static_cast<i32>(2 * state.number) + (numbering_ == MpeNumbering::from_zero ? 0 : 1);
  // Moments are numbered from 5000; many states of the user lie beyond those.
  if (state.begin >= user_moments - 1) state.begin += 1 << 20;
  state.end = state.begin + 1;
  return states_.emplace(name, state).first->second.begin;
}

i32 MpeWriter::moment_of(const std::string& name) {
  const auto found = moments_.find(name);
  if (found != moments_.end()) return found->second;
  if (name.size() > most_name_bytes) lose("the ends of {} names beyond 31 characters");
  const i32 type = user_moments + static_cast<i32>(moments_.size());
  moments_.emplace(name, type);
  return type;
}

std::vector<MpeWrittenState> MpeWriter::states() const {
  std::vector<MpeWrittenState> list;
  for (const auto& [name, state] : states_) list.push_back(state);
  std::ranges::sort(list, {}, &MpeWrittenState::number);
  return list;
}

std::vector<MpeWrittenState> MpeWriter::moments() const {
  std::vector<MpeWrittenState> list;
  for (const auto& [name, type] : moments_) list.push_back({name.substr(0, most_name_bytes), 0, type, type});
  std::ranges::sort(list, {}, &MpeWrittenState::begin);
  return list;
}

std::vector<std::string> MpeWriter::losses() const {
  std::vector<std::string> list;
  for (const auto& [what, count] : losses_) list.push_back(fmt::format(fmt::runtime(what), count));
  return list;
}

}  // namespace weft::workloads
