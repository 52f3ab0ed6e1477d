// Reader of Paraver traces.
#pragma once

#include <list>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "workloads/trace/format/bsc/collective_roots.hpp"
#include "workloads/trace/format/bsc/lone_calls.hpp"
#include "workloads/trace/format/bsc/paraver_calls.hpp"
#include "workloads/trace/format/bsc/paraver_header.hpp"
#include "workloads/trace/format/queueing_reader.hpp"

namespace weft::workloads {

/// Reads once from front to back. Memory grows with the messages in flight.
class ParaverReader final : public QueueingReader {
 public:
  /// `roots`: null to find them.
  ParaverReader(std::unique_ptr<ByteSource> source, std::shared_ptr<const CollectiveRoots> roots);
  [[nodiscard]] u64 position() const override { return position_; }
  [[nodiscard]] u32 tasks() const override { return header_.tasks(); }
  [[nodiscard]] const ParaverHeader& header() const { return header_; }
  /// What is known when all of it has been read.
  struct Facts {
    CollectiveRoots roots;
    LoneCalls lone_calls;
  };
  [[nodiscard]] Facts find_facts();

  static constexpr u32 name_of_calls = 0;  ///< of enter and leave

 private:
  bool read_more() override;
  struct Message {
    u32 peer = 0, tag = 0;
    u64 bytes = 0, ns = 0;
  };
  struct TaskState {
    bool in_call = false;
    u64 number = 0, begin_ns = 0, line = 0;  ///< of the call
    u64 sent = 0, received = 0, communicator = 0;
    bool root = false, has_communicator = false;
    u64 last_ns = 0;                       ///< end of the last event
    std::vector<Message> sends;            ///< of the call, or not in one yet
    std::multimap<u64, Message> arrivals;  ///< by time
    std::map<u32, u64> rooted;             ///< calls with a root so far, by communicator
    std::list<u64> requests;               ///< of collective operations that nobody has waited for
    u64 next_request = 0;
  };
  void read_events();
  void read_message();
  void begin_call(u32 task, u64 number, u64 ns);
  void end_call(u32 task, u64 ns);
  /// `call` does nothing special if they are in none.
  void put_sends(u32 task, const ParaverCall& call, u64 begin_ns, u64 end_ns);
  [[nodiscard]] bool put_receives(u32 task, u64 until_ns, u64 begin_ns, u64 end_ns);
  void put_collective(u32 task, const ParaverCall& call, u64 begin_ns, u64 end_ns);
  void put_waits(u32 task, bool all, u64 begin_ns, u64 end_ns);
  TraceEvent& put(u32 task, TraceEvent::Kind kind, u64 begin_ns, u64 end_ns);
  TaskState& state_of(u32 task);
  [[nodiscard]] u64 time();
  void finish();

  TextCursor text_;
  ParaverHeader header_;
  std::shared_ptr<const CollectiveRoots> roots_;
  Facts* found_ = nullptr;
  std::unordered_map<u32, TaskState> states_;  ///< of tasks that had a record
  u64 application_ = 0;                        ///< of the record
  u64 position_ = 0;
  u64 arriving_ = 0, requests_ = 0;  ///< arrivals and requests of all tasks
  bool finished_ = false;
};

}  // namespace weft::workloads
