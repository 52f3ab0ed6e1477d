// Calls from states and messages; see the header.
#include "workloads/trace/format/mpe/mpe_reader.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"

namespace weft::workloads {

MpeReader::MpeReader(std::unique_ptr<MpeLog> log, std::shared_ptr<const MpeDefinitions> known)
    : log_(std::move(log)), known_(std::move(known)) {}

bool MpeReader::read_more() {
  if (at_ < records_.size()) {
    take(records_[at_++]);
  } else if (at_end_) {
    if (ended_ == tasks_.size()) return false;
    end_all();
  } else {
    at_ = 0;
    at_end_ = !log_->read(records_);
    if (at_end_) records_.clear();
  }
  return true;
}

void MpeReader::take(const MpeRecord& record) {
  position_ = record.position;
  if (record.task >= tasks_.size()) tasks_.resize(std::size_t{record.task} + 1);
  Task& task = tasks_[record.task];
  task.last_ns = std::max(task.last_ns, static_cast<u64>(std::max<i64>(record.time_ns - known_->origin_ns, 0)));
  if (record.kind != MpeRecord::Kind::event) return take_message(record, task);
  const MpeDefinitions::Meaning meaning = known_->meaning(record.type);
  switch (meaning.kind) {
    case MpeDefinitions::Meaning::Kind::unknown:
      return;
    case MpeDefinitions::Meaning::Kind::begin:
      return begin(record, task, meaning.number);
    case MpeDefinitions::Meaning::Kind::end:
      return end(record, task, meaning.number);
    case MpeDefinitions::Meaning::Kind::moment:
      if (task.call == none) return put_named(record.task, TraceEvent::Kind::mark, meaning.number, task.last_ns);
      if (task.inside.size() < most_inside)
        task.inside.push_back({.kind = TraceEvent::Kind::mark, .name = meaning.number});
      return;
  }
}

void MpeReader::take_message(const MpeRecord& record, Task& task) {
  const Inside message{
      .kind = record.kind == MpeRecord::Kind::sent ? TraceEvent::Kind::send : TraceEvent::Kind::receive,
      .peer = record.peer,
      .tag = record.tag,
      .communicator = record.communicator,
      .bytes = record.bytes};
  if (task.call == none) return put_message(record.task, message, {}, task.last_ns, task.last_ns, false);
  if (task.inside.size() == most_inside) put_inside(record.task, task, known_->states[task.open[task.call].state]);
  task.inside.push_back(message);
}

void MpeReader::begin(const MpeRecord& record, Task& task, u32 number) {
  const MpeState& state = known_->states[number];
  const bool is_region = state.kind.role == MpeRole::region;
  if (task.open.size() > most_inside)
    throw InputError(fmt::format("{}: task {} is in more than {} states at a time (got another '{}'); expected ends",
                                 log_->place(record.position), record.task, most_inside, state.text));
  if (task.call != none) {
    const bool enters = is_region && task.inside.size() < most_inside;
    if (enters) task.inside.push_back({.kind = TraceEvent::Kind::enter, .name = state.name});
    task.open.push_back({number, enters});
    return;
  }
  if (state.kind.role == MpeRole::messages || (state.kind.role == MpeRole::collective && !state.expanded)) {
    task.call = task.open.size();
    task.continues = false;
    task.begin_ns = task.last_ns;
    task.communicator = record.communicator;
    task.open.push_back({number, false});
    return;
  }
  put_named(record.task, TraceEvent::Kind::enter, state.name, task.last_ns);
  task.open.push_back({number, true});
}

void MpeReader::end(const MpeRecord& record, Task& task, u32 number) {
  std::size_t place = task.open.size();
  while (place > 0 && task.open[place - 1].state != number) --place;
  if (place-- == 0) {
    // Logging can be stopped and started again in states of the user.
    if (known_->states[number].kind.role == MpeRole::region) return;
    throw InputError(
        fmt::format("{}: a state ends that has not begun (got the end of '{}' of task {}); expected its "
                    "begin before",
                    log_->place(record.position), known_->states[number].text, record.task));
  }
  const bool entered = task.open[place].entered;
  task.open.erase(task.open.begin() + static_cast<std::ptrdiff_t>(place));
  if (place == task.call) return end_call(record.task, task, number);
  if (task.call != none && place < task.call) --task.call;
  if (!entered) return;
  const u32 name = known_->states[number].name;
  if (task.call == none) return put_named(record.task, TraceEvent::Kind::leave, name, task.last_ns);
  task.inside.push_back({.kind = TraceEvent::Kind::leave, .name = name});
}

void MpeReader::end_call(u32 number, Task& task, u32 state_number) {
  const MpeState& state = known_->states[state_number];
  task.call = none;
  if (state.kind.role == MpeRole::collective) {
    TraceEvent& event = put(number, task.begin_ns, task.last_ns);
    event.kind = TraceEvent::Kind::collective;
    event.operation = state.kind.operation;
    event.communicator = task.communicator;
    if (event.operation != Collective::barrier) event.bytes = event.bytes_received = TraceEvent::unknown_bytes;
  }
  put_inside(number, task, state);
}

void MpeReader::put_inside(u32 number, Task& task, const MpeState& state) {
  bool continues = task.continues;
  for (const Inside& each : task.inside) {
    if (each.kind != TraceEvent::Kind::send && each.kind != TraceEvent::Kind::receive) continue;
    put_message(number, each, state.kind, task.begin_ns, task.last_ns, continues);
    continues = true;
  }
  const bool is_empty = !continues && state.kind.role == MpeRole::messages;
  if (is_empty) put_named(number, TraceEvent::Kind::enter, state.name, task.begin_ns);
  for (const Inside& each : task.inside)
    if (each.kind >= TraceEvent::Kind::enter) put_named(number, each.kind, each.name, task.last_ns);
  if (is_empty) put_named(number, TraceEvent::Kind::leave, state.name, task.last_ns);
  task.continues = continues;
  task.inside.clear();
}

void MpeReader::put_message(u32 number, const Inside& message, const MpeStateKind& kind, u64 begin_ns, u64 end_ns,
                            bool continues) {
  TraceEvent& event = put(number, begin_ns, end_ns);
  const bool sends = message.kind == TraceEvent::Kind::send;
  event.kind = sends && kind.starts_sends ? TraceEvent::Kind::isend : message.kind;
  event.synchronous = sends && kind.synchronous;
  event.continues = continues;
  event.peer = message.peer;
  event.tag = message.tag;
  event.communicator = message.communicator;
  event.bytes = message.bytes;
}

void MpeReader::put_named(u32 number, TraceEvent::Kind kind, u32 name, u64 at_ns) {
  TraceEvent& event = put(number, at_ns, at_ns);
  event.kind = kind;
  event.name = name;
}

TraceEvent& MpeReader::put(u32 number, u64 begin_ns, u64 end_ns) {
  TraceEvent& event = queue(number);
  event.begin_ns = begin_ns;
  event.end_ns = end_ns;
  return event;
}

/// States that were open when logging ended end with the last record of their task.
void MpeReader::end_all() {
  Task& task = tasks_[ended_];
  if (task.call != none) {
    const u32 state = task.open[task.call].state;
    task.open.erase(task.open.begin() + static_cast<std::ptrdiff_t>(task.call));
    end_call(ended_, task, state);
  }
  for (; !task.open.empty(); task.open.pop_back())
    if (task.open.back().entered)
      put_named(ended_, TraceEvent::Kind::leave, known_->states[task.open.back().state].name, task.last_ns);
  ++ended_;
}

}  // namespace weft::workloads
