// What receives that a task starts will be told when they are over: read ahead in its events.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <unordered_map>

#include "workloads/trace/replay/left_out.hpp"
#include "workloads/trace/store/trace_store.hpp"

namespace weft::workloads {

/// Many formats know only at its end what a receive from any took, and none says of a receive that it will be cancelled
/// or that nobody waits for it. So the events of a task are read a second time, ahead of who takes them.
class ReceivesAhead {
 public:
  /// How far it looks, in events. It keeps 24 bytes for each receive in that many.
  static constexpr u64 most_events = u64{1} << 14;
  /// `store` and `left_out` must outlive it. `streams`: as of TraceStore::events.
  ReceivesAhead(const std::shared_ptr<const TraceStore>& store, u32 task, u64 streams,
                const std::vector<std::string>& left_out);

  /// The next ireceive of the task, the one that is event `number` (from 0, of all its events), with what its wait says
  /// of what came; nothing if no wait for it is among the next most_events. Those that are left out are none.
  [[nodiscard]] std::optional<TraceEvent> of_next(const TraceEvent& started, u64 number);

 private:
  struct Receive {
    u64 bytes = TraceEvent::unknown_bytes;
    u32 peer = TraceEvent::any, tag = TraceEvent::any;
    u32 communicator = 0;
    bool awaited = false;
  };
  void read_one();

  std::unique_ptr<EventStream> events_;
  LeftOut left_out_;
  TraceEvent event_;
  std::deque<Receive> receives_;             ///< started, by what was read, and not asked for yet
  std::unordered_map<u64, u64> receive_of_;  ///< request, to the number of the receive: of those without a wait
  u64 read_ = 0, first_ = 0;                 ///< events; number of receives_[0]
  bool over_ = false;
};

/// What came is known better when it is there.
void tell_received(TraceEvent& receive, u32 peer, u32 tag, u32 communicator, u64 bytes);

}  // namespace weft::workloads
