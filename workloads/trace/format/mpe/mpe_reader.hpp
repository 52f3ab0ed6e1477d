// Records of a log of MPE as events of tasks: calls from their states and messages.
#pragma once

#include <vector>

#include "workloads/trace/format/mpe/mpe_log.hpp"
#include "workloads/trace/format/queueing_reader.hpp"

namespace weft::workloads {

/// A call of MPI that moves messages is one event for each message, from the begin of its state to its end (the second
/// and later ones continue the first); one that moves none is an enter and a leave. A collective that the log has no
/// messages of is one event; of others, and of states of the user, there are enter and leave.
class MpeReader final : public QueueingReader {
 public:
  MpeReader(std::unique_ptr<MpeLog> log, std::shared_ptr<const MpeDefinitions> known);
  [[nodiscard]] u64 position() const override { return position_; }
  [[nodiscard]] u32 tasks() const override { return known_->tasks; }

 private:
  bool read_more() override;
  /// Messages in a call, at most; more are events of their own call, as if it had ended.
  static constexpr std::size_t most_inside = 4096;
  static constexpr std::size_t none = ~std::size_t{0};
  struct Open {
    u32 state = 0;
    bool entered = false;  ///< there was an enter
  };
  /// What happens in a call that is one event.
  struct Inside {
    TraceEvent::Kind kind = TraceEvent::Kind::send;
    u32 peer = 0, tag = 0, communicator = 0, name = 0;
    u32 bytes = 0;
  };
  struct Task {
    std::vector<Open> open;
    std::vector<Inside> inside;
    std::size_t call = none;  ///< place in `open` of the call that is one event
    bool continues = false;   ///< events of that call came already
    u32 communicator = 0;
    u64 begin_ns = 0;  ///< of the call
    u64 last_ns = 0;
  };
  void take(const MpeRecord& record);
  void take_message(const MpeRecord& record, Task& task);
  void begin(const MpeRecord& record, Task& task, u32 state);
  void end(const MpeRecord& record, Task& task, u32 state);
  void end_call(u32 number, Task& task, u32 state);
  void put_inside(u32 number, Task& task, const MpeState& state);
  void put_message(u32 number, const Inside& message, const MpeStateKind& kind, u64 begin_ns, u64 end_ns,
                   bool continues);
  void put_named(u32 number, TraceEvent::Kind kind, u32 name, u64 at_ns);
  TraceEvent& put(u32 number, u64 begin_ns, u64 end_ns);
  void end_all();

  std::unique_ptr<MpeLog> log_;
  std::shared_ptr<const MpeDefinitions> known_;
  std::vector<MpeRecord> records_;
  std::size_t at_ = 0;  ///< in records_
  std::vector<Task> tasks_;
  u32 ended_ = 0;  ///< tasks whose open states have been left at the end of the log
  bool at_end_ = false;
  u64 position_ = 0;
};

}  // namespace weft::workloads
