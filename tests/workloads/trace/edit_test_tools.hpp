// What the tests of cutting, merging and counting share: events in memory, and random traces that are complete.
#pragma once

#include <algorithm>
#include <random>
#include <vector>

#include "tests/workloads/trace/trace_test_tools.hpp"
#include "workloads/trace/edit/new_store.hpp"
#include "workloads/trace/trace_summary.hpp"

namespace weft::workloads {

using EventLists = std::vector<std::vector<TraceEvent>>;

inline std::shared_ptr<const TraceStore> store_with(const EventLists& events, TraceFrame frame = {}) {
  frame.tasks = static_cast<u32>(events.size());
  NewStore store(frame.has_times);
  for (u32 task = 0; task < events.size(); ++task) {
    for (const TraceEvent& event : events[task]) store.add(task, event);
  }
  return store.finish(std::move(frame));
}

inline EventLists events_of(const std::shared_ptr<const TraceStore>& store) {
  EventLists events(store->index().tasks);
  TraceEvent event;
  for (u32 task = 0; task < events.size(); ++task) {
    const auto stream = TraceStore::events(store, task);
    while (stream->next(event)) events[task].push_back(event);
  }
  return events;
}

inline TraceEvent message_event(TraceEvent::Kind kind, u32 peer, u32 tag, u64 bytes, u64 begin_ns = 0, u64 end_ns = 0) {
  TraceEvent event;
  event.kind = kind;
  event.peer = peer;
  event.tag = tag;
  event.bytes = bytes;
  event.begin_ns = begin_ns;
  event.end_ns = end_ns;
  return event;
}
inline TraceEvent named_event(TraceEvent::Kind kind, u32 name, u64 at_ns = 0) {
  TraceEvent event;
  event.kind = kind;
  event.name = name;
  event.begin_ns = event.end_ns = at_ns;
  return event;
}
inline TraceEvent wait_event(u64 request, u64 begin_ns = 0, u64 end_ns = 0) {
  TraceEvent event;
  event.kind = TraceEvent::Kind::wait;
  event.request = request;
  event.peer = event.tag = TraceEvent::any;
  event.bytes = TraceEvent::unknown_bytes;
  event.begin_ns = begin_ns;
  event.end_ns = end_ns;
  return event;
}

/// Expects a replay without a network to end, with nothing left over; its messages.
inline u64 expect_complete(const std::shared_ptr<const TraceStore>& store, const std::string& what = {}) {
  const TraceCheck check = check_program(TraceProgram(store, "t"));
  EXPECT_TRUE(check.completes()) << what << ": task " << check.stuck[0].task << " waits for " << check.stuck[0].from
                                 << " tag " << check.stuck[0].tag;
  EXPECT_EQ(0u, check.left_over) << what;
  return check.messages;
}

/// Random programs that were run once: things happen in one order of all tasks, so that every receive finds its
/// message. Names: 0 "phase" (mark), 1 "step" (region), 2 "MPI_Thing" (call).
class RandomTrace {
 public:
  RandomTrace(u32 tasks, u32 actions, u64 seed, bool blocking = false)
      : lists_(tasks), last_end_(tasks, 0), random_(seed), blocking_(blocking) {
    frame_.has_times = true;
    frame_.names = {{"phase", false}, {"step", false}, {"MPI_Thing", true}};
    std::vector<u32> odd;
    for (u32 task = 0; task < tasks; ++task) {
      if (task % 2 == 1) odd.push_back(task);
    }
    std::ranges::reverse(odd);
    frame_.communicators.push_back({odd});
    for (u32 i = 0; i < actions; ++i) act();
    while (!sent_.empty()) receive();
    while (!posted_.empty()) answer();
    while (!open_.empty()) wait();
  }
  [[nodiscard]] const EventLists& lists() const { return lists_; }
  [[nodiscard]] std::shared_ptr<const TraceStore> store(bool in_order = true) const {
    TraceFrame frame = frame_;
    frame.in_order = in_order;
    return store_with(lists_, std::move(frame));
  }
  [[nodiscard]] u64 end_ns() const { return *std::ranges::max_element(last_end_); }
  /// Messages whose both ends fit `within`, of events that are all blocking.
  template <class Within>
  [[nodiscard]] u64 messages_within(Within within) const {
    u64 count = 0;
    for (const Pair& pair : pairs_) count += within(pair.from, pair.send) && within(pair.to, pair.receive) ? 1 : 0;
    return count;
  }

 private:
  using Kind = TraceEvent::Kind;
  struct Message {
    u32 from, to;
    TraceEvent event;
  };
  struct Open {
    u32 task;
    TraceEvent wait;
  };
  struct Pair {
    u32 from, to;
    TraceEvent send, receive;
  };
  u64 upto(u64 count) { return random_() % count; }

  TraceEvent put(u32 task, TraceEvent event) {
    now_ += upto(10);
    event.begin_ns = std::max(now_, last_end_[task]) + upto(5);
    event.end_ns = event.begin_ns + (event.kind >= Kind::enter ? 0 : upto(20));
    last_end_[task] = event.end_ns;
    lists_[task].push_back(event);
    return event;
  }
  Message any_message() {
    const u32 tasks = static_cast<u32>(lists_.size());
    Message message{static_cast<u32>(upto(tasks)), 0, {}};
    message.to = static_cast<u32>((message.from + 1 + upto(tasks - 1)) % tasks);
    message.event = message_event(Kind::send, message.to, static_cast<u32>(upto(2)), upto(5000));
    if (message.from % 2 == 1 && message.to % 2 == 1) message.event.communicator = static_cast<u32>(upto(2));
    return message;
  }
  void act() {
    const u64 choice = upto(100);
    if (choice < 40) send(any_message());
    if (choice >= 40 && choice < 70 && !sent_.empty()) receive();
    if (choice >= 70 && choice < 76 && !blocking_) post();
    if (choice >= 76 && choice < 82 && !posted_.empty()) answer();
    if (choice >= 82 && choice < 90 && !open_.empty()) wait();
    if (choice >= 90 && choice < 94) collective();
    if (choice >= 94 && choice < 97) {
      for (u32 task = 0; task < lists_.size(); ++task) put(task, named_event(Kind::mark, 0));
    }
    if (choice >= 97) {
      for (u32 task = 0; task < lists_.size(); ++task) put(task, named_event(in_step_ ? Kind::leave : Kind::enter, 1));
      in_step_ = !in_step_;
    }
  }
  void send(Message message) {
    if (!blocking_ && upto(2) == 0) {
      message.event.kind = Kind::isend;
      message.event.request = ++requests_;
      open_.push_back({message.from, wait_event(requests_)});
    }
    message.event = put(message.from, message.event);
    sent_.push_back(message);
  }
  /// The first message of a channel, so that the order is that of MPI.
  Message take_sent() {
    const Message& any = sent_[upto(sent_.size())];
    const auto same = [&](const Message& other) {
      return other.from == any.from && other.to == any.to && other.event.tag == any.event.tag &&
             other.event.communicator == any.event.communicator;
    };
    const auto first = std::ranges::find_if(sent_, same);
    Message taken = *first;
    sent_.erase(first);
    return taken;
  }
  void receive() {
    const Message message = take_sent();
    TraceEvent event = message.event;
    event.kind = Kind::receive;
    event.request = TraceEvent::no_request;
    event.peer = message.from;
    if (!blocking_ && upto(2) == 0) return begin_receive(message.to, event);
    pairs_.push_back({message.from, message.to, message.event, put(message.to, event)});
  }
  void begin_receive(u32 task, TraceEvent event) {
    TraceEvent wait = wait_event(++requests_);
    if (upto(2) == 0) {
      wait.peer = event.peer;
      wait.tag = event.tag;
      wait.bytes = event.bytes;
      event.peer = TraceEvent::any;
      if (upto(2) == 0) event.tag = TraceEvent::any;
      if (upto(2) == 0) {
        wait.communicator = event.communicator;
        event.communicator = 0;
      }
    }
    event.kind = Kind::ireceive;
    event.request = requests_;
    put(task, event);
    open_.push_back({task, wait});
  }
  /// Posts a receive of a tag of its own: one that is posted takes the first message that fits, whoever waits first.
  void post() {
    Message message = any_message();
    message.event.tag = 100 + static_cast<u32>(requests_);
    TraceEvent event = message.event;
    event.kind = Kind::ireceive;
    event.peer = message.from;
    event.request = ++requests_;
    put(message.to, event);
    message.event.request = requests_;
    posted_.push_back(message);
  }
  void answer() {
    const std::size_t i = upto(posted_.size());
    Message message = posted_[i];
    posted_.erase(posted_.begin() + static_cast<std::ptrdiff_t>(i));
    open_.push_back({message.to, wait_event(message.event.request)});
    message.event.request = TraceEvent::no_request;
    put(message.from, message.event);
  }
  void wait() {
    const std::size_t i = upto(open_.size());
    put(open_[i].task, open_[i].wait);
    open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(i));
  }
  void collective() {
    TraceEvent event;
    event.kind = Kind::collective;
    event.operation = upto(2) == 0 ? Collective::allreduce : Collective::barrier;
    event.bytes = event.operation == Collective::barrier ? 0 : 8;
    event.communicator = static_cast<u32>(upto(2));
    std::vector<u32> members = frame_.communicators[event.communicator].members;
    for (u32 task = 0; event.communicator == 0 && task < lists_.size(); ++task) members.push_back(task);
    const bool waits = !blocking_ && upto(2) == 0;
    if (waits) event.request = ++requests_;
    for (const u32 task : members) put(task, event);
    if (!waits) return;
    for (u64 i = upto(4); i > 0; --i) send(any_message());
    for (const u32 task : members) put(task, wait_event(event.request));
  }

  EventLists lists_;
  std::vector<u64> last_end_;
  std::mt19937_64 random_;
  bool blocking_, in_step_ = false;
  TraceFrame frame_;
  u64 now_ = 0, requests_ = 0;
  std::vector<Message> sent_, posted_;
  std::vector<Open> open_;
  std::vector<Pair> pairs_;
};

}  // namespace weft::workloads
