// What a task did between its calls, by the times of its events.
#pragma once

#include <algorithm>

#include "workloads/trace/store/store_index.hpp"

namespace weft::workloads {

/// Goes through the events of one task, in order, of a trace with times. What lies between two calls was computed; what
/// lies inside of a call that is made up of events (TraceName::is_call) was not.
class CallTimes {
 public:
  explicit CallTimes(const StoreIndex& index) : index_(&index) {}

  /// What an event adds to those before it: each moment counts once.
  struct Step {
    u64 computed_ns = 0;  ///< between calls, before it
    u64 within_ns = 0;    ///< before it, inside of a call
    u64 own_ns = 0;       ///< of the event itself
  };
  Step next(const TraceEvent& event) {
    const u64 before = event.begin_ns - std::min(event.begin_ns, last_end_ns_);
    const u64 from = std::max(event.begin_ns, last_end_ns_);
    const Step step{depth_ == 0 ? before : 0, depth_ == 0 ? 0 : before, std::max(event.end_ns, from) - from};
    last_end_ns_ = std::max(event.end_ns, from);
    if (event.kind == TraceEvent::Kind::enter && index_->is_call(event.name)) ++depth_;
    if (event.kind == TraceEvent::Kind::leave && index_->is_call(event.name) && depth_ > 0) --depth_;
    return step;
  }

 private:
  const StoreIndex* index_;
  u64 last_end_ns_ = 0;
  u32 depth_ = 0;  ///< of calls that are made up of events
};

}  // namespace weft::workloads
