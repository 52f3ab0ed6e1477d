// Events to operations; see the header.
#include "workloads/trace/replay/event_ops.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"

namespace weft::workloads {

EventOps::EventOps(const std::shared_ptr<const TraceStore>& store, u32 task, u64 streams,
                   std::shared_ptr<CollectiveCalls> collectives, std::shared_ptr<const ReplayRules> rules,
                   std::shared_ptr<u64> all_taken)
    : task_(task),
      streams_(streams),
      store_(store),
      events_(TraceStore::events(store, task, streams)),
      times_(store->index()),
      collectives_(std::move(collectives)),
      rules_(std::move(rules)),
      all_taken_(std::move(all_taken)),
      left_out_(store->index().names, rules_->left_out) {}

Op EventOps::next() {
  while (at_ == ready_.size()) {
    gone_ += ready_.size();
    ready_.clear();
    at_ = 0;
    if (has_next_) {
      std::swap(event_, next_);
      has_next_ = false;
    } else if (!events_->next(event_)) {
      return {};
    }
    ++taken_;
    if (all_taken_) ++*all_taken_;
    take(event_);
  }
  return ready_[at_++];
}

void EventOps::add_regions(std::vector<u32>& inside) const {
  inside.insert(inside.end(), regions_.begin(), regions_.end());
  const bool of_call = call_ != no_call && at_ > first_of_call_;
  if (of_call) inside.push_back(static_cast<u32>(store_->index().names.size()) + call_);
}

/// What the event before has entered or left: what was computed before it was outside, or inside.
void EventOps::resolve_regions() {
  constexpr std::size_t most_deep = 256;
  if (passing_ == TraceEvent::Kind::enter && regions_.size() < most_deep) regions_.push_back(passed_);
  if (passing_ == TraceEvent::Kind::leave) {
    // The innermost of that name, with what was not left inside of it.
    const auto found = std::find(regions_.rbegin(), regions_.rend(), passed_);
    if (found != regions_.rend()) regions_.erase(found.base() - 1, regions_.end());
  }
  passing_ = TraceEvent::Kind::compute;
  call_ = no_call;
}

void EventOps::take(const TraceEvent& event) {
  using Kind = TraceEvent::Kind;
  resolve_regions();
  const u64 computed_ns = computed_before(event);
  const bool passes = event.kind == Kind::enter || event.kind == Kind::leave;
  if (passes && event.name < store_->index().names.size()) {
    passing_ = event.kind;
    passed_ = event.name;
  }
  if (left_out_.takes(event)) return;
  if (event.kind == Kind::enter) refuse_one_sided(event);
  wait_until(event, computed_ns);
  first_of_call_ = ready_.size();
  switch (event.kind) {
    case Kind::compute:
      if (rules_->cycles_per_ns == 0) ready_.push_back({OpKind::compute, 0, 0, event.bytes});
      break;
    case Kind::send:
      blocking_send(event);
      break;
    case Kind::isend:
      rules_->requests ? request(OpKind::isend, event) : message(OpKind::send, event);
      break;
    case Kind::receive:
      message(OpKind::receive, event);
      break;
    case Kind::ireceive:
      start_receive(event);
      break;
    case Kind::wait:
      wait_for(event);
      break;
    case Kind::collective:
      collective(event);
      break;
    default:
      break;  // of a probe, the receive that follows waits for the same message
  }
}

/// A put or a get moves data between two tasks, of which a trace has neither a send nor a receive.
void EventOps::refuse_one_sided(const TraceEvent& event) const {
  if (event.name >= rules_->refused.size() || !rules_->refused[event.name]) return;
  const std::string& call = store_->index().names[event.name].text;
  throw InputError(fmt::format(
      "task {}, record {}: {} is one-sided communication, whose data are no messages of the trace and would "
      "be missing from the network; leave it out on purpose with workload.leave_out = \"{}\"",
      task_, taken_, call, call));
}

u64 EventOps::computed_before(const TraceEvent& event) {
  const u64 passed_ns = store_->index().has_times ? times_.next(event).computed_ns : 0;
  if (rules_->counter == ReplayRules::no_counter) return passed_ns;
  if (event.kind != TraceEvent::Kind::count || event.name != rules_->counter) return 0;
  constexpr double most = 4e18;
  return static_cast<u64>(std::min(static_cast<double>(event.bytes) * rules_->ns_per_count + 0.5, most));
}

/// What was computed before it; or, at recorded times, until it began.
void EventOps::wait_until(const TraceEvent& event, u64 computed_ns) {
  if (rules_->cycles_per_ns > 0) {
    const bool begins = event.kind == TraceEvent::Kind::send || event.kind == TraceEvent::Kind::isend ||
                        event.kind == TraceEvent::Kind::collective;
    const double cycle = static_cast<double>(event.begin_ns) * rules_->cycles_per_ns;
    if (begins) ready_.push_back({OpKind::compute, 0, 0, static_cast<u64>(std::min(cycle, 4e18))});
  } else if (computed_ns > 0) {
    ready_.push_back({OpKind::compute, 0, 0, computed_ns});
  }
}

void EventOps::message(OpKind kind, const TraceEvent& event) {
  Op op;
  op.kind = kind;
  op.peer = event.peer;
  op.tag = event.tag;
  op.amount = event.bytes == TraceEvent::unknown_bytes ? 0 : event.bytes;
  op.communicator = event.communicator;
  ready_.push_back(op);
}

void EventOps::blocking_send(const TraceEvent& event) {
  message(OpKind::send, event);
  if (!rules_->sends_wait || is_inside_a_call()) return;
  has_next_ = has_next_ || events_->next(next_);
  const bool exchanges = has_next_ && next_.continues && next_.kind == TraceEvent::Kind::receive;
  ready_.back().waits = !exchanges;
}

/// A collective operation, for one, whose messages the trace has.
bool EventOps::is_inside_a_call() const {
  return std::ranges::any_of(regions_, [&](u32 name) { return store_->index().is_call(name); });
}

/// What was started with that number before is never waited for.
void EventOps::request(OpKind kind, const TraceEvent& event) {
  started_.erase(event.request);
  requests_.insert_or_assign(event.request, number());
  message(kind, event);
}

/// Posts it where it is known what it takes, and that it ends.
void EventOps::start_receive(const TraceEvent& event) {
  if (rules_->requests) {
    if (!ahead_) ahead_ = std::make_unique<ReceivesAhead>(store_, task_, streams_, rules_->left_out);
    if (const auto told = ahead_->of_next(event, taken_ - 1)) return request(OpKind::ireceive, *told);
  }
  wait_later(event);
}

void EventOps::collective(const TraceEvent& event) {
  if (collectives_->costs() != nullptr) return meet(event);
  if (event.request != TraceEvent::no_request) return wait_later(event);
  call_ = static_cast<u32>(event.operation);
  collectives_->append(task_, event, ready_);
}

/// A meeting, which is begun where the call is, and may be waited for later.
void EventOps::meet(const TraceEvent& event) {
  const bool starts = event.request != TraceEvent::no_request;
  if (starts) {
    started_.erase(event.request);
    requests_.erase(event.request);
  }
  Op op = collectives_->meeting(task_, event, calls_[event.communicator]++);
  if (op.kind == OpKind::end) return;
  call_ = static_cast<u32>(event.operation);
  if (starts) {
    op.kind = OpKind::imeet;
    requests_.insert_or_assign(event.request, number());
  }
  ready_.push_back(op);
}

/// It takes place where it is waited for.
void EventOps::wait_later(const TraceEvent& event) {
  requests_.erase(event.request);
  started_.insert_or_assign(event.request, event);
}

void EventOps::wait_for(const TraceEvent& event) {
  if (const auto request = requests_.find(event.request); request != requests_.end()) {
    ready_.push_back({.kind = OpKind::await, .amount = request->second});
    requests_.erase(request);
    return;
  }
  const auto found = started_.find(event.request);
  if (found == started_.end()) return;
  TraceEvent started = std::move(found->second);
  started_.erase(found);
  if (started.kind == TraceEvent::Kind::collective) {
    call_ = static_cast<u32>(started.operation);
    return collectives_->append(task_, started, ready_);
  }
  tell_received(started, event.peer, event.tag, event.communicator, event.bytes);
  message(OpKind::receive, started);
}

}  // namespace weft::workloads
