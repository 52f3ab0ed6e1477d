// Requests of a task; see the header.
#include "workloads/trace/edit/task_walk.hpp"

namespace weft::workloads {

bool TaskWalk::next() {
  has_started_ = false;
  if (!events_->next(event_)) return false;
  number_ = taken_++;
  where_ = tracker_.step(event_);
  if (event_.request == TraceEvent::no_request) return true;
  if (event_.kind == Kind::wait) {
    const auto found = open_.find(event_.request);
    if (found == open_.end()) return true;
    started_ = std::move(found->second);
    open_.erase(found);
    has_started_ = true;
  } else {
    Started& started = open_[event_.request];
    started = {event_, number_, where_};
    started.event.sent = started.event.received = std::vector<u64>();
  }
  return true;
}

TraceEvent TaskWalk::received() const {
  if (event_.kind == Kind::receive) return event_;
  TraceEvent receive = started_.event;
  receive.kind = Kind::receive;
  receive.request = TraceEvent::no_request;
  receive.continues = false;
  receive.begin_ns = event_.begin_ns;
  receive.end_ns = event_.end_ns;
  if (event_.peer != TraceEvent::any) receive.peer = event_.peer;
  if (event_.tag != TraceEvent::any) receive.tag = event_.tag;
  if (event_.bytes != TraceEvent::unknown_bytes) receive.bytes = event_.bytes;
  if (event_.communicator != 0) receive.communicator = event_.communicator;
  return receive;
}

}  // namespace weft::workloads
