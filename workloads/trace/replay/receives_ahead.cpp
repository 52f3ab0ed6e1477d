// Reading ahead for waits; see the header.
#include "workloads/trace/replay/receives_ahead.hpp"

#include "engine/base/error.hpp"

namespace weft::workloads {

ReceivesAhead::ReceivesAhead(const std::shared_ptr<const TraceStore>& store, u32 task, u64 streams,
                             const std::vector<std::string>& left_out)
    : events_(TraceStore::events(store, task, streams)), left_out_(store->index().names, left_out) {}

std::optional<TraceEvent> ReceivesAhead::of_next(const TraceEvent& started, u64 number) {
  while (!over_ && (receives_.empty() || !receives_.front().awaited) && read_ <= number + most_events) read_one();
  WEFT_ASSERT(!receives_.empty());  // at least what was asked for
  const Receive receive = receives_.front();
  receives_.pop_front();
  ++first_;
  if (!receive.awaited) return {};
  TraceEvent told = started;
  tell_received(told, receive.peer, receive.tag, receive.communicator, receive.bytes);
  return told;
}

void ReceivesAhead::read_one() {
  if (!events_->next(event_)) {
    over_ = true;
    return;
  }
  ++read_;
  if (left_out_.takes(event_)) return;
  if (event_.kind == TraceEvent::Kind::ireceive) {
    receive_of_.insert_or_assign(event_.request, first_ + receives_.size());
    receives_.emplace_back();
  } else if (event_.kind == TraceEvent::Kind::isend || event_.kind == TraceEvent::Kind::collective) {
    if (event_.request != TraceEvent::no_request) receive_of_.erase(event_.request);
  } else if (event_.kind == TraceEvent::Kind::wait) {
    const auto found = receive_of_.find(event_.request);
    if (found == receive_of_.end()) return;
    if (found->second >= first_)  // else too late: it has been asked for
      receives_[found->second - first_] = {event_.bytes, event_.peer, event_.tag, event_.communicator, true};
    receive_of_.erase(found);
  }
}

void tell_received(TraceEvent& receive, u32 peer, u32 tag, u32 communicator, u64 bytes) {
  if (peer != TraceEvent::any) receive.peer = peer;
  if (tag != TraceEvent::any) receive.tag = tag;
  if (bytes != TraceEvent::unknown_bytes) receive.bytes = bytes;
  if (communicator != 0) receive.communicator = communicator;
}

}  // namespace weft::workloads
