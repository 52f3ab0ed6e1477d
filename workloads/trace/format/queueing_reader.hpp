// Readers of formats in which a line, a call or a block makes several events, or none.
#pragma once

#include <utility>
#include <vector>

#include "workloads/trace/trace_source.hpp"

namespace weft::workloads {

/// Gives one by one what it has read at a time.
class QueueingReader : public TraceReader {
 public:
  bool next(TraceRecord& record) final {
    while (given_ == queue_.size()) {
      queue_.clear();
      given_ = 0;
      if (!read_more()) return false;
    }
    record = std::move(queue_[given_++]);
    return true;
  }

 protected:
  /// Reads on and queues what it finds, which may be nothing; false at the end of the trace. The queue is empty before.
  virtual bool read_more() = 0;
  /// The event behind all others; valid until the next is queued.
  TraceEvent& queue(u32 task, TraceEvent event = {}) {
    return queue_.emplace_back(TraceRecord{task, std::move(event)}).event;
  }
  /// Events of this read_more() so far.
  [[nodiscard]] std::size_t queued() const { return queue_.size(); }
  [[nodiscard]] TraceEvent& last_queued() { return queue_.back().event; }
  [[nodiscard]] TraceEvent take_last_back() {
    TraceEvent event = std::move(last_queued());
    queue_.pop_back();
    return event;
  }

 private:
  std::vector<TraceRecord> queue_;
  std::size_t given_ = 0;
};

}  // namespace weft::workloads
