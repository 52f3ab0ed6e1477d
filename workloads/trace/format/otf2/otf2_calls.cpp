// Records to events of calls; see the header.
#include "workloads/trace/format/otf2/otf2_calls.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <otf2/otf2.h>

#include "engine/base/error.hpp"
#include "workloads/trace/trace_source.hpp"

namespace weft::workloads::otf2 {

using Kind = TraceEvent::Kind;

Calls::Calls(const Definitions& definitions, u32 task, std::function<std::string(u64 position)> place, std::size_t held)
    : definitions_(definitions),
      task_(task),
      place_(std::move(place)),
      most_held_(held),
      counts_(definitions.counters.size()) {}

void Calls::fail(const std::string& problem, const std::string& expected) const {
  throw InputError(fmt::format("{}: {} (damaged); expected {}", place_(position_), problem, expected));
}

u64 Calls::time_of(u64 ticks) const {
  const u64 time = definitions_.clock.nanoseconds(ticks);
  if (time == Clock::beyond) fail(fmt::format("time {} is too long after the begin", ticks), "less than 146 years");
  return time;
}

void Calls::at(u64 ticks, u64 position) {
  position_ = position;
  now_ = std::max(now_, time_of(ticks));
}

Calls::Held* Calls::held(u64 number) { return number < first_ ? nullptr : &queue_[number - first_]; }

/// An event at this moment.
Calls::Held& Calls::add(Kind kind) {
  Held& one = queue_.emplace_back();
  one.position = position_;
  one.event.kind = kind;
  one.event.begin_ns = one.event.end_ns = now_;
  return one;
}

/// An event of the innermost call, if there is one: that has it in place of the marks of its region.
Calls::Held& Calls::add_of_call(Kind kind) {
  Held& one = add(kind);
  if (calls_.empty() || calls_.back().settled) return one;
  OpenCall& call = calls_.back();
  one.event.begin_ns = call.begin_ns;
  one.event.continues = call.has_events;
  if (Held* const mark = held(call.enter); mark != nullptr && !call.has_events)
    mark->dropped = call.hides_region = true;
  call.has_events = true;
  return one;
}

void Calls::add_region(Kind kind, u32 name) {
  TraceEvent& event = add(kind).event;
  event.name = name;
  // What is inside a call happened while that had begun.
  if (!calls_.empty() && !calls_.back().settled) event.begin_ns = event.end_ns = calls_.back().begin_ns;
}

/// Events of the call end here.
void Calls::finish_call(OpenCall& call) {
  if (call.settled) return;
  call.settled = true;
  for (u64 number = std::max(call.enter, first_); number < next_number(); ++number) {
    TraceEvent& event = held(number)->event;
    if (event.kind < Kind::enter) event.end_ns = now_;
  }
}

void Calls::enter(u32 region) {
  const auto known = definitions_.regions.find(region);
  if (known == definitions_.regions.end())
    fail(fmt::format("enters region {}, which is not defined", region), "a definition of it");
  if (known->second.is_call) {
    if (calls_.size() == most_nested)
      fail(fmt::format("has {} calls of MPI within each other", most_nested), "that some of them end");
    calls_.empty() ? add_counts() : finish_call(calls_.back());
    calls_.push_back({region, next_number(), now_});
    add(Kind::enter).event.name = known->second.name;
  } else {
    add_region(Kind::enter, known->second.name);
  }
}

/// Ends the innermost call. One that has no event of its own is a region.
void Calls::close_call() {
  finish_call(calls_.back());
  if (!calls_.back().hides_region) add(Kind::leave).event.name = definitions_.regions.at(calls_.back().region).name;
  calls_.pop_back();
  if (!calls_.empty()) return;
  for (Count& count : counts_) count.before = count.now;
}

/// What was counted since the call before. It is a call's matter to compute nothing.
void Calls::add_counts() {
  for (std::size_t k = 0; k < counts_.size(); ++k) {
    if (counts_[k].now <= counts_[k].before) continue;
    TraceEvent& event = add(Kind::count).event;
    event.name = definitions_.counters[k].name;
    event.bytes = counts_[k].now - counts_[k].before;
  }
}

void Calls::counted(u32 metric, u32 place, u64 value) {
  const auto known = definitions_.metrics.find(metric);
  if (known == definitions_.metrics.end() || place >= known->second.size())
    fail(fmt::format("has value {} of metric {}, which is not defined", place, metric), "a definition of it");
  const u32 counter = known->second[place];
  if (counter == Definitions::no_counter) return;
  u64& now = counts_[counter].now;
  now = definitions_.counters[counter].relative ? now + value : value;
}

void Calls::leave(u32 region) {
  const auto known = definitions_.regions.find(region);
  if (known == definitions_.regions.end())
    fail(fmt::format("leaves region {}, which is not defined", region), "a definition of it");
  const bool is_open =
      known->second.is_call && std::ranges::any_of(calls_, [&](const OpenCall& call) { return call.region == region; });
  if (!is_open) return add_region(Kind::leave, known->second.name);
  while (calls_.back().region != region) close_call();
  close_call();
}

void Calls::mark(u32 name) { add_region(Kind::mark, name); }

void Calls::flushed(u64 until_ticks) {
  add_region(Kind::enter, definitions_.flush);
  now_ = std::max(now_, time_of(until_ticks));
  add_region(Kind::leave, definitions_.flush);
}

const Communicator& Calls::communicator_of(u32 communicator) const {
  const auto known = definitions_.known_communicators.find(communicator);
  if (known == definitions_.known_communicators.end())
    fail(fmt::format("is on communicator {}, which is not defined for MPI", communicator), "a definition of it");
  return known->second;
}

u64 Calls::checked(u64 bytes) const {
  if (bytes != TraceEvent::unknown_bytes && bytes > max_trace_bytes)
    fail(fmt::format("has {} bytes", bytes), fmt::format("at most {}", max_trace_bytes));
  return bytes;
}

/// OTF2 writes what is not defined with all bits set, as events do.
void Calls::set_message(TraceEvent& event, u32 peer, u32 communicator, u32 tag, u64 bytes) const {
  const Communicator& known = communicator_of(communicator);
  event.communicator = definitions_.number_for(known, task_);
  event.peer = peer == OTF2_UNDEFINED_UINT32 ? TraceEvent::any : definitions_.task_of(known, peer, task_);
  const bool sends = event.kind == Kind::send || event.kind == Kind::isend;
  if (event.peer == TraceEvent::any && (sends || peer != OTF2_UNDEFINED_UINT32))
    fail(fmt::format("is a message with rank {} of communicator {}, which has none", peer, communicator),
         "a rank of that communicator");
  event.tag = tag;
  event.bytes = checked(bytes);
}

void Calls::send(u32 receiver, u32 communicator, u32 tag, u64 bytes, u64 request) {
  TraceEvent& event = add_of_call(request == TraceEvent::no_request ? Kind::send : Kind::isend).event;
  if (!calls_.empty()) event.synchronous = definitions_.regions.at(calls_.back().region).synchronous;
  event.request = request;
  set_message(event, receiver, communicator, tag, bytes);
}

void Calls::receive(u32 sender, u32 communicator, u32 tag, u64 bytes) {
  set_message(add_of_call(Kind::receive).event, sender, communicator, tag, bytes);
}

void Calls::send_complete(u64 request) {
  TraceEvent& event = add_of_call(Kind::wait).event;
  event.request = request;
  event.peer = event.tag = TraceEvent::any;
  event.bytes = TraceEvent::unknown_bytes;
}

/// Nothing more will be known of it.
void Calls::give_up(Held& one) {
  one.waits = false;
  if (one.event.kind != Kind::collective) return;
  const u32 name = one.event.name;
  one.dropped = name == TraceEvent::any;
  TraceEvent mark;
  mark.kind = Kind::mark;
  mark.name = name;
  mark.begin_ns = one.event.begin_ns;
  mark.end_ns = one.event.end_ns;
  one.event = mark;
}

/// What begins here; `name` of it is that of its call, until more is known.
Calls::Held& Calls::start(Kind kind, u64 request) {
  if (const auto before = started_.find(request); before != started_.end()) {
    if (Held* const one = held(before->second); one != nullptr && one->waits) give_up(*one);
  }
  started_.insert_or_assign(request, next_number());
  Held& one = add_of_call(kind);
  one.waits = true;
  one.event.request = request;
  one.event.name = calls_.empty() ? TraceEvent::any : definitions_.regions.at(calls_.back().region).name;
  return one;
}

void Calls::receive_started(u64 request) {
  TraceEvent& event = start(Kind::ireceive, request).event;
  event.peer = event.tag = TraceEvent::any;
  event.bytes = TraceEvent::unknown_bytes;
}

void Calls::receive_complete(u32 sender, u32 communicator, u32 tag, u64 bytes, u64 request) {
  const auto found = started_.find(request);
  if (found == started_.end()) {
    // It began before the recording: here then.
    TraceEvent& event = add_of_call(Kind::ireceive).event;
    event.request = request;
    set_message(event, sender, communicator, tag, bytes);
  } else {
    Held* const one = held(found->second);
    if (one != nullptr && one->waits && one->event.kind == Kind::ireceive) {
      set_message(one->event, sender, communicator, tag, bytes);
      one->waits = false;
    }
    started_.erase(found);
  }
  TraceEvent& event = add_of_call(Kind::wait).event;
  event.request = request;
  set_message(event, sender, communicator, tag, bytes);
}

void Calls::request_cancelled(u64 request) {
  const auto found = started_.find(request);
  if (found == started_.end()) return send_complete(request);
  // A receive that never was: its call stays.
  if (Held* const one = held(found->second); one != nullptr && one->waits) {
    one->event.kind = Kind::collective;
    give_up(*one);
  }
  started_.erase(found);
}

u32 Calls::rank_in(const Communicator& communicator) {
  if (communicator.kind == Communicator::Kind::self) return 0;
  const std::vector<u32>& members = definitions_.communicators[communicator.number].members;
  if (members.empty()) return task_;
  const auto [known, is_new] = ranks_.try_emplace(communicator.number, 0);
  if (is_new) {
    const auto found = std::ranges::find(members, task_);
    if (found == members.end())
      fail("is a collective call on a communicator of which it is none", "one of its members");
    known->second = static_cast<u32>(found - members.begin());
  }
  return known->second;
}

/// False for what is no operation with data: making and freeing communicators, windows, files.
bool Calls::set_collective(TraceEvent& event, u32 operation, u32 communicator, u32 root, const Totals& totals) {
  if (operation >= collective_operations_known) return false;
  const Communicator& known = communicator_of(communicator);
  if (known.kind == Communicator::Kind::between) return false;
  event.kind = Kind::collective;
  event.operation = static_cast<Collective>(operation);
  event.communicator = definitions_.number_for(known, task_);
  CallPlace place{definitions_.size_of(known), rank_in(known), false};
  if (has_root(event.operation)) {
    event.root = definitions_.task_of(known, root, task_);
    if (event.root == TraceEvent::any)
      fail(fmt::format("has root {} in a communicator of {} ranks", root, place.ranks), "one of them");
    place.is_root = event.root == task_;
  }
  const Totals kept{checked(totals.sent), checked(totals.received)};
  definitions_.sizes_of_pieces ? set_sizes_of_pieces(event, kept) : set_sizes(event, kept, place);
  return true;
}

void Calls::collective_begin() { collective_begin_ = now_; }

void Calls::collective_end(u32 operation, u32 communicator, u32 root, const Totals& totals) {
  TraceEvent made;
  if (!set_collective(made, operation, communicator, root, totals)) return;
  TraceEvent& event = add_of_call(Kind::collective).event;
  made.begin_ns = calls_.empty() ? std::min(collective_begin_, now_) : event.begin_ns;
  made.end_ns = event.end_ns;
  made.continues = event.continues;
  event = made;
}

void Calls::collective_started(u64 request) { start(Kind::collective, request); }

void Calls::collective_complete(u32 operation, u32 communicator, u32 root, const Totals& totals, u64 request) {
  const auto found = started_.find(request);
  Held* const one = found == started_.end() ? nullptr : held(found->second);
  if (found != started_.end()) started_.erase(found);
  TraceEvent made;
  if (!set_collective(made, operation, communicator, root, totals)) {
    if (one != nullptr && one->waits) give_up(*one);
    return;
  }
  made.request = request;
  const bool is_held = one != nullptr && one->waits && one->event.kind == Kind::collective;
  TraceEvent& event = is_held ? one->event : add_of_call(Kind::collective).event;
  made.begin_ns = event.begin_ns;
  made.end_ns = event.end_ns;
  made.continues = event.continues;
  event = made;
  if (is_held) one->waits = false;
  send_complete(request);
}

void Calls::finish() {
  while (!calls_.empty()) {
    // What has not ended has no end: a call without events stays entered.
    finish_call(calls_.back());
    calls_.pop_back();
  }
  for (Held& one : queue_) {
    if (one.waits) give_up(one);
  }
}

bool Calls::take(TraceEvent& event, u64& position) {
  for (;;) {
    if (queue_.empty()) return false;
    Held& one = queue_.front();
    const bool in_open_call = !calls_.empty() && !calls_.back().settled && first_ >= calls_.back().enter;
    if ((one.waits || in_open_call) && queue_.size() <= most_held_) return false;
    if (one.waits) give_up(one);
    const bool dropped = one.dropped;
    if (!dropped) {
      event = std::move(one.event);
      position = one.position;
      if (event.kind < Kind::enter) event.name = 0;
      event.begin_ns = last_begin_ = std::max(event.begin_ns, last_begin_);
      event.end_ns = last_end_ = std::max({event.end_ns, event.begin_ns, last_end_});
    }
    queue_.pop_front();
    ++first_;
    if (!dropped) return true;
  }
}

}  // namespace weft::workloads::otf2
