// Puts the records of an OTF2 location together to events of calls: one with a beginning and an end for what OTF2 says
// in three records (Enter, MpiSend, Leave).
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "workloads/trace/event.hpp"
#include "workloads/trace/format/otf2/otf2_definitions.hpp"
#include "workloads/trace/format/otf2/otf2_sizes.hpp"

namespace weft::workloads::otf2 {

/// Events are held back until their call has ended, and until it is known what a non-blocking receive or collective
/// call was of: OTF2 says so when it is over. Memory: `most_held` events; of a receive that takes longer only its wait
/// says what came, and a collective call that takes longer stands where it is waited for.
class Calls {
 public:
  static constexpr std::size_t most_held = std::size_t{1} << 16;
  static constexpr std::size_t most_nested = 1024;

  /// `place` makes "FILE: event NUMBER of location NUMBER" of a position.
  Calls(const Definitions& definitions, u32 task, std::function<std::string(u64 position)> place,
        std::size_t held = most_held);

  /// Each record begins with this: its time and its number.
  void at(u64 ticks, u64 position);
  void enter(u32 region);
  void leave(u32 region);
  void send(u32 receiver, u32 communicator, u32 tag, u64 bytes, u64 request = TraceEvent::no_request);
  void receive(u32 sender, u32 communicator, u32 tag, u64 bytes);
  void send_complete(u64 request);
  void receive_started(u64 request);
  void receive_complete(u32 sender, u32 communicator, u32 tag, u64 bytes, u64 request);
  void request_cancelled(u64 request);
  void collective_begin();
  void collective_end(u32 operation, u32 communicator, u32 root, const Totals& totals);
  void collective_started(u64 request);
  void collective_complete(u32 operation, u32 communicator, u32 root, const Totals& totals, u64 request);
  void mark(u32 name);
  /// The value of a metric at that place of its class.
  void counted(u32 metric, u32 place, u64 value);
  /// The buffer of the tracer was written, until then: no computation.
  void flushed(u64 until_ticks);
  /// Calls that have not ended end with the last record.
  void finish();

  /// The next event of which all is known; false if more records are needed.
  bool take(TraceEvent& event, u64& position);

 private:
  struct Held {
    TraceEvent event;
    u64 position = 0;
    bool waits = false;    ///< for what will be known of its request
    bool dropped = false;  ///< the region of a call that has events
  };
  struct OpenCall {
    u32 region = 0;
    u64 enter = 0;  ///< number of the event
    u64 begin_ns = 0;
    bool has_events = false;
    bool hides_region = false;  ///< its events stand for its region
    bool settled = false;       ///< holds nothing back any more
  };
  [[noreturn]] void fail(const std::string& problem, const std::string& expected) const;
  [[nodiscard]] u64 time_of(u64 ticks) const;
  [[nodiscard]] Held* held(u64 number);
  [[nodiscard]] u64 next_number() const { return first_ + queue_.size(); }
  Held& add(TraceEvent::Kind kind);
  Held& add_of_call(TraceEvent::Kind kind);
  void add_region(TraceEvent::Kind kind, u32 name);
  void add_counts();
  void finish_call(OpenCall& call);
  void close_call();
  void give_up(Held& one);
  Held& start(TraceEvent::Kind kind, u64 request);
  [[nodiscard]] const Communicator& communicator_of(u32 communicator) const;
  [[nodiscard]] u64 checked(u64 bytes) const;
  void set_message(TraceEvent& event, u32 peer, u32 communicator, u32 tag, u64 bytes) const;
  [[nodiscard]] bool set_collective(TraceEvent& event, u32 operation, u32 communicator, u32 root, const Totals& totals);
  [[nodiscard]] u32 rank_in(const Communicator& communicator);

  const Definitions& definitions_;
  u32 task_;
  std::function<std::string(u64 position)> place_;
  std::size_t most_held_;
  struct Count {
    u64 now = 0;
    u64 before = 0;  ///< at the end of the last call
  };
  std::vector<Count> counts_;  ///< as Definitions::counters
  std::deque<Held> queue_;
  u64 first_ = 0;  ///< number of the event at the front
  std::vector<OpenCall> calls_;
  std::unordered_map<u64, u64> started_;  ///< number of the receive or collective call, by request
  std::unordered_map<u32, u32> ranks_;    ///< of the task, by number of a communicator
  u64 now_ = 0, position_ = 0, collective_begin_ = 0;
  u64 last_begin_ = 0, last_end_ = 0;  ///< of what was taken
};

}  // namespace weft::workloads::otf2
