// Records of Paraver as events:
//   1:cpu:application:task:thread:begin:end:state
//   2:cpu:application:task:thread:time:type:value[:type:value]...
//   3:cpu:application:task:thread:lsend:psend:cpu:application:task:thread:lrecv:precv:bytes:tag
// A message is sent in the call of its logical send. It is received in the first call that can receive and ends when it
// has physically arrived, or later: its record stands where it is sent, behind calls in which it was asked for.
#include "workloads/trace/format/bsc/paraver_reader.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace weft::workloads {
namespace {

constexpr u64 most_paraver_value = ~u64{0} / 2;
/// Messages in flight, and requests that nobody has waited for, of all tasks.
constexpr u64 most_paraver_pending = u64{1} << 24;
constexpr const char* paraver_message_line =
    "3:CPU:APPLICATION:TASK:THREAD:LSEND:PSEND:CPU:APPLICATION:TASK:THREAD:LRECV:PRECV:BYTES:TAG";

}  // namespace

ParaverReader::ParaverReader(std::unique_ptr<ByteSource> source, std::shared_ptr<const CollectiveRoots> roots)
    : text_(std::move(source)), header_(read_paraver_header(text_)), roots_(std::move(roots)) {}

bool ParaverReader::read_more() {
  if (finished_) return false;
  if (!text_.next_line()) {
    finish();
    return true;
  }
  position_ = text_.line();
  const int kind = text_.peek();
  if (kind == '1' || kind == '#') {
    text_.skip_line();
  } else if (kind == '2') {
    text_.skip();
    read_events();
  } else if (kind == '3') {
    text_.skip();
    read_message();
  } else {
    text_.reject(kind == 'c' ? "a communicator is defined behind records" : "an unknown record", text_.word(),
                 "a line that begins with 1:, 2: or 3:");
  }
  return true;
}

void ParaverReader::read_events() {
  const char* const expected = "2:CPU:APPLICATION:TASK:THREAD:TIME:TYPE:VALUE...";
  text_.expect(':', expected);
  (void)text_.number("the CPU", most_paraver_value);
  u64 thread = 0;
  const u32 task = paraver_task(text_, header_, thread, &application_);
  const u64 ns = time();
  if (thread != 0) return text_.skip_line();
  TaskState& state = state_of(task);
  while (text_.take(':')) {
    const u64 type = text_.number("TYPE", most_paraver_value);
    text_.expect(':', expected);
    // Values of counters and of users may be negative.
    text_.skip_blanks();
    const bool negative = text_.take('-');
    const u64 value = text_.number("VALUE", most_paraver_value);
    if (negative) continue;
    if (is_paraver_call(type)) {
      if (value == 0) {
        end_call(task, ns);
      } else {
        begin_call(task, value, ns);
      }
    } else if (type == paraver_bytes_sent) {
      state.sent = value;
    } else if (type == paraver_bytes_received) {
      state.received = value;
    } else if (type == paraver_root) {
      state.root = value != 0;
    } else if (type == paraver_communicator) {
      state.communicator = value;
      state.has_communicator = true;
    }
  }
  text_.end_line(expected);
}

void ParaverReader::read_message() {
  u64 thread = 0, other_thread = 0;
  text_.expect(':', paraver_message_line);
  (void)text_.number("the CPU", most_paraver_value);
  const u32 from = paraver_task(text_, header_, thread);
  const u64 sent_ns = time();
  (void)time();
  text_.expect(':', paraver_message_line);
  (void)text_.number("the CPU", most_paraver_value);
  const u32 to = paraver_task(text_, header_, other_thread);
  const u64 asked_ns = time();
  const u64 arrived_ns = std::max(asked_ns, time());
  text_.expect(':', paraver_message_line);
  Message message;
  message.bytes = text_.number("BYTES", max_trace_bytes);
  text_.expect(':', paraver_message_line);
  message.tag = static_cast<u32>(text_.number("TAG", max_trace_tag - 1));
  text_.end_line(paraver_message_line);
  if (thread != 0 || other_thread != 0) {
    // Copies between a host and its accelerators are messages of a task to itself.
    if (from == to) return;
    text_.reject("a message of another thread than the first", std::to_string(std::max(thread, other_thread) + 1),
                 "thread 1");
  }
  if (found_ != nullptr) {
    found_->lone_calls.found(from, sent_ns);
    found_->lone_calls.found(to, asked_ns);
  }
  message.peer = to;
  message.ns = sent_ns;
  TaskState& sender = state_of(from);
  if (!sender.in_call && !sender.sends.empty() && sender.sends.front().ns < sent_ns)
    put_sends(from, {}, sender.sends.front().ns, sender.sends.front().ns);
  if (arriving_ == most_paraver_pending)
    text_.reject(fmt::format("more than {} messages that no call has received", most_paraver_pending), "another",
                 "calls of MPI that receive");
  ++arriving_;
  sender.sends.push_back(message);
  message.peer = from;
  state_of(to).arrivals.emplace(arrived_ns, message);
}

void ParaverReader::begin_call(u32 task, u64 number, u64 ns) {
  TaskState& state = state_of(task);
  if (state.in_call) end_call(task, ns);
  // What was sent at this moment is of this call.
  if (!state.sends.empty() && state.sends.front().ns < ns)
    put_sends(task, {}, state.sends.front().ns, state.sends.front().ns);
  state.in_call = true;
  state.number = number;
  state.begin_ns = ns;
  state.line = position_;
  state.sent = state.received = 0;
  state.root = state.has_communicator = false;
}

void ParaverReader::end_call(u32 task, u64 ns) {
  TaskState& state = state_of(task);
  if (!state.in_call) return;  // it began before the trace
  state.in_call = false;
  const ParaverCall call = paraver_call(state.number);
  const u64 begin = std::max(state.begin_ns, state.last_ns), end = std::max(ns, begin);
  const bool sends = !state.sends.empty();
  put_sends(task, call, begin, end);
  const bool receives = call.receives && put_receives(task, ns, begin, end);
  const bool lone =
      (call.must_send || call.must_receive) && !(call.must_send && sends) && !(call.must_receive && receives);
  if (lone && found_ != nullptr) found_->lone_calls.add(task, state.number, state.begin_ns, ns, state.line);
  if (call.collective) {
    put_collective(task, call, begin, end);
  } else if (call.waits && !receives && !state.requests.empty()) {
    put_waits(task, call.waits_for_all, begin, end);
  } else if (!sends && !receives) {
    put(task, TraceEvent::Kind::enter, begin, begin).name = name_of_calls;
    put(task, TraceEvent::Kind::leave, end, end).name = name_of_calls;
  }
}

void ParaverReader::put_sends(u32 task, const ParaverCall& call, u64 begin_ns, u64 end_ns) {
  TaskState& state = state_of(task);
  for (const Message& message : state.sends) {
    TraceEvent& event = put(task, call.immediate ? TraceEvent::Kind::isend : TraceEvent::Kind::send, begin_ns, end_ns);
    event.synchronous = call.synchronous;
    event.continues = &message != state.sends.data();
    event.peer = message.peer;
    event.tag = message.tag;
    event.bytes = message.bytes;
  }
  state.sends.clear();
}

bool ParaverReader::put_receives(u32 task, u64 until_ns, u64 begin_ns, u64 end_ns) {
  TaskState& state = state_of(task);
  bool any = false;
  while (!state.arrivals.empty() && state.arrivals.begin()->first <= until_ns) {
    const Message& message = state.arrivals.begin()->second;
    TraceEvent& event = put(task, TraceEvent::Kind::receive, begin_ns, end_ns);
    event.continues = any;
    event.peer = message.peer;
    event.tag = message.tag;
    event.bytes = message.bytes;
    state.arrivals.erase(state.arrivals.begin());
    --arriving_;
    any = true;
  }
  return any;
}

void ParaverReader::put_collective(u32 task, const ParaverCall& call, u64 begin_ns, u64 end_ns) {
  TaskState& state = state_of(task);
  TraceEvent& event = put(task, TraceEvent::Kind::collective, begin_ns, end_ns);
  event.operation = call.operation;
  if (state.has_communicator && header_.unknown_tasks.contains(application_ << 32 | state.communicator))
    text_.reject("a call in a communicator with a task of unknown number (-1)", std::to_string(state.communicator),
                 "calls in communicators whose tasks the trace names");
  event.communicator = state.has_communicator ? header_.groups.number(application_ << 32 | state.communicator) : 0;
  if (event.communicator == ~u32{0})
    text_.reject("an unknown communicator", std::to_string(state.communicator), "one of those that the trace defines");
  if (state.sent > max_trace_bytes || state.received > max_trace_bytes)
    text_.reject("a collective call is too large", std::to_string(std::max(state.sent, state.received)),
                 fmt::format("{} bytes at most", max_trace_bytes));
  set_call_sizes(event, state.sent, state.received);
  if (call.non_blocking) {
    if (requests_ == most_paraver_pending)
      text_.reject(fmt::format("more than {} collective calls that nothing waits for", most_paraver_pending), "another",
                   "waits");
    ++requests_;
    event.request = state.next_request++;
    state.requests.push_back(event.request);
  }
  if (!has_root(event.operation)) return;
  if (found_ != nullptr) found_->roots.add(task, event.communicator, state.root);
  const u64 rooted = state.rooted[event.communicator]++;
  if (roots_ == nullptr) return;
  event.root = roots_->root(event.communicator, rooted);
  if (event.root != CollectiveRoots::unknown) return;
  const auto& members = header_.groups.communicators()[event.communicator].members;
  event.root = members.empty() ? 0 : members.front();
}

void ParaverReader::put_waits(u32 task, bool all, u64 begin_ns, u64 end_ns) {
  TaskState& state = state_of(task);
  bool first = true;
  while (!state.requests.empty() && (all || first)) {
    TraceEvent& event = put(task, TraceEvent::Kind::wait, begin_ns, end_ns);
    event.continues = !first;
    event.request = state.requests.front();
    event.peer = event.tag = TraceEvent::any;
    event.bytes = TraceEvent::unknown_bytes;
    state.requests.pop_front();
    --requests_;
    first = false;
  }
}

TraceEvent& ParaverReader::put(u32 task, TraceEvent::Kind kind, u64 begin_ns, u64 end_ns) {
  TaskState& state = state_of(task);
  TraceEvent& event = queue(task);
  event.kind = kind;
  event.begin_ns = std::max(begin_ns, std::min(state.last_ns, end_ns));
  event.end_ns = std::max(end_ns, event.begin_ns);
  state.last_ns = std::max(state.last_ns, event.end_ns);
  return event;
}

ParaverReader::TaskState& ParaverReader::state_of(u32 task) { return states_[task]; }

u64 ParaverReader::time() {
  text_.expect(':', "a time");
  return text_.number("a time", max_trace_compute_ns / header_.unit_ns) * header_.unit_ns;
}

/// Calls that are open end with the trace, and all messages are received.
void ParaverReader::finish() {
  finished_ = true;
  std::vector<u32> tasks;
  for (const auto& [task, state] : states_) tasks.push_back(task);
  std::ranges::sort(tasks);
  for (const u32 task : tasks) {
    TaskState& state = states_[task];
    if (state.in_call) end_call(task, std::max(state.begin_ns, state.last_ns));
    put_sends(task, {}, state.last_ns, state.last_ns);
    (void)put_receives(task, ~u64{0}, state.last_ns, state.last_ns);
    put_waits(task, true, state.last_ns, state.last_ns);
  }
}

ParaverReader::Facts ParaverReader::find_facts() {
  Facts facts;
  found_ = &facts;
  TraceRecord record;
  while (next(record)) continue;
  found_ = nullptr;
  return facts;
}

}  // namespace weft::workloads
