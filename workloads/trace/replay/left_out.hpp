// Regions of a trace whose events take no part in a replay.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "workloads/trace/store/store_index.hpp"

namespace weft::workloads {

/// Goes through the events of one task, in order. Both arguments must outlive it.
class LeftOut {
 public:
  LeftOut(const std::vector<TraceName>& names, const std::vector<std::string>& left_out)
      : names_(&names), left_out_(&left_out) {}

  /// Whether an event is inside of a region that is left out; what begins one is not, what ends it is.
  bool takes(const TraceEvent& event) {
    const bool inside = depth_ > 0;
    const bool enters = event.kind == TraceEvent::Kind::enter;
    if ((enters || event.kind == TraceEvent::Kind::leave) && is_named(event.name))
      depth_ = enters ? depth_ + 1 : depth_ - std::min(depth_, 1U);
    return inside;
  }

 private:
  [[nodiscard]] bool is_named(u32 name) const {
    return !left_out_->empty() && name < names_->size() &&
           std::ranges::find(*left_out_, (*names_)[name].text) != left_out_->end();
  }

  const std::vector<TraceName>* names_;
  const std::vector<std::string>* left_out_;
  u32 depth_ = 0;
};

}  // namespace weft::workloads
