// Events to operations; see the header.
#include "workloads/trace/replay/event_ops.hpp"

#include <algorithm>

#include "engine/error.hpp"

namespace weft::workloads {

EventOps::EventOps(const std::shared_ptr<const TraceStore>& store, u32 task, u64 streams,
                   std::shared_ptr<CollectiveCalls> collectives, std::shared_ptr<const ReplayRules> rules)
    : task_(task),
      store_(store),
      events_(TraceStore::events(store, task, streams)),
      times_(store->index()),
      collectives_(std::move(collectives)),
      rules_(std::move(rules)) {}

Op EventOps::next() {
  while (at_ == ready_.size()) {
    ready_.clear();
    at_ = 0;
    if (!events_->next(event_)) return {};
    ++taken_;
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
void EventOps::settle_regions() {
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
  settle_regions();
  const u64 computed_ns = store_->index().has_times ? times_.next(event).computed_ns : 0;
  const bool leaves_out = skipped_ > 0;
  if (event.kind == Kind::enter || event.kind == Kind::leave) enter_or_leave(event);
  if (leaves_out) return;
  wait_until(event, computed_ns);
  first_of_call_ = ready_.size();
  switch (event.kind) {
    case Kind::compute:
      if (rules_->cycles_per_ns == 0) ready_.push_back({OpKind::compute, 0, 0, event.bytes});
      break;
    case Kind::send:
    case Kind::isend:
      message(OpKind::send, event);
      break;
    case Kind::receive:
      message(OpKind::receive, event);
      break;
    case Kind::ireceive:
      started_.insert_or_assign(event.request, event);
      break;
    case Kind::wait:
      wait_for(event);
      break;
    case Kind::collective:
      if (event.request == TraceEvent::no_request) {
        call_ = static_cast<u32>(event.operation);
        collectives_->append(task_, event, ready_);
      } else {
        started_.insert_or_assign(event.request, event);
      }
      break;
    default:
      break;  // of a probe, the receive that follows waits for the same message
  }
}

void EventOps::enter_or_leave(const TraceEvent& event) {
  const std::vector<TraceName>& names = store_->index().names;
  if (event.name < names.size()) {
    passing_ = event.kind;
    passed_ = event.name;
  }
  if (rules_->left_out.empty() || event.name >= names.size()) return;
  if (std::ranges::find(rules_->left_out, names[event.name].text) == rules_->left_out.end()) return;
  skipped_ = event.kind == TraceEvent::Kind::enter ? skipped_ + 1 : skipped_ - std::min(skipped_, 1U);
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

/// Of a send there is nothing to wait for.
void EventOps::wait_for(const TraceEvent& event) {
  const auto found = started_.find(event.request);
  if (found == started_.end()) return;
  TraceEvent started = std::move(found->second);
  started_.erase(found);
  if (started.kind == TraceEvent::Kind::collective) {
    call_ = static_cast<u32>(started.operation);
    return collectives_->append(task_, started, ready_);
  }
  // What came is known better when it is there.
  if (event.peer != TraceEvent::any) started.peer = event.peer;
  if (event.tag != TraceEvent::any) started.tag = event.tag;
  if (event.bytes != TraceEvent::unknown_bytes) started.bytes = event.bytes;
  if (event.communicator != 0) started.communicator = event.communicator;
  message(OpKind::receive, started);
}

}  // namespace weft::workloads
