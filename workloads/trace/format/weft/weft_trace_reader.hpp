// Records of weft's tracer as events: requests are told apart, ranks of communicators become tasks, calls of several
// threads of a rank come in the order of their begins.
#pragma once

#include <list>
#include <map>
#include <memory>
#include <unordered_map>

#include "workloads/trace/format/queueing_reader.hpp"
#include "workloads/trace/format/weft/weft_trace_file.hpp"

namespace weft::workloads {

/// What a collective call that waits is read as.
enum class InnerMessages : u8 {
  as_recorded,  ///< as its messages if these are there
  as_calls
};

/// A communicator as it is known in all of the trace. Messages of the library itself have one of their own beside it,
/// so that no receive of the program takes them.
struct KnownCommunicator {
  u32 number = 0;          ///< of the program's messages; those of the library: + 1
  bool is_single = false;  ///< a task alone
  bool is_inter = false;
  const std::vector<u32>* peers = nullptr;  ///< of messages; null: all tasks
};

/// What the reader of a rank needs of its trace. `communicators`: by number in its file. `marks`: names of those.
struct RankOfTrace {
  const RecordFile* file = nullptr;
  std::unordered_map<u32, KnownCommunicator> communicators;
  std::unordered_map<i64, u32> marks;
};

/// Numbers of names behind those of records::call_names.
inline constexpr u32 name_of_polling = records::calls, name_of_pause = records::calls + 1,
                     first_mark_name = records::calls + 2;

class WeftTraceReader final : public QueueingReader {
 public:
  WeftTraceReader(const TraceInput& input, std::size_t number, std::shared_ptr<const RankOfTrace> rank,
                  InnerMessages inner);
  [[nodiscard]] u64 position() const override { return position_; }
  [[nodiscard]] u32 tasks() const override { return rank_->file->header.ranks; }
  [[nodiscard]] u64 self_sends() const override { return self_sends_; }
  [[nodiscard]] u64 self_receives() const override { return self_receives_; }

 private:
  bool read_more() override;
  struct Message {
    const KnownCommunicator* communicator = nullptr;
    u32 number = 0;  ///< of the communicator, or the one beside it
    u32 peer = 0, tag = 0;
    u64 bytes = 0;
    bool is_left_out = false;  ///< to itself, or to a process that is no task
  };
  struct Started {
    u64 request = 0;
    bool receives = false;
    const KnownCommunicator* communicator = nullptr;
    bool is_inner = false;
    const void* lane = nullptr;  ///< that started it
  };
  using Requests = std::unordered_map<u64, std::list<Started>>;
  struct Persistent {
    bool receives = false, synchronous = false;
    Message message;
  };
  /// Records of a thread, block after block.
  struct Lane {
    std::vector<std::size_t> blocks;  ///< of RecordFile::blocks
    std::size_t next_block = 0;
    std::vector<u8> bytes;
    std::optional<RecordFields> fields;
    u32 records_left = 0;
    u64 last_ns = 0, begin_ns = 0;  ///< of the record before
    u64 last_request = 0;
    bool is_inside = false;  ///< of a call that is not over
    u32 inside_name = 0;
    std::optional<TraceEvent> held;  ///< that call, if it is read as one event
    Requests inner_started;
    std::vector<u64> inner_order;  ///< handles of inner receives, as they were posted
  };
  using Kind = records::Kind;

  [[nodiscard]] bool has_more(Lane& lane);
  /// The lane whose next record is the first; null at the end.
  Lane* first_lane();
  /// When the next record of a lane took effect: sends at their begin, receives when they were over.
  [[nodiscard]] u64 next_time(Lane& lane);
  void take_record(Lane& lane);
  void take_message(Lane& lane, Kind kind, u8 flags);
  void take_wait(Lane& lane, u8 flags);
  void take_start(Lane& lane, u8 flags);
  void take_forget(Lane& lane);
  void take_collective(Lane& lane, u8 flags);
  void take_leave(Lane& lane);
  [[nodiscard]] u64 request_of(Lane& lane) const;
  [[nodiscard]] Message message_of(Lane& lane, u8 flags, bool may_be_any) const;
  [[nodiscard]] u32 task_of(const KnownCommunicator& communicator, bool is_world, i64 rank) const;
  [[nodiscard]] const KnownCommunicator& communicator_of(u64 number) const;
  [[nodiscard]] std::vector<u64> list_of(Lane& lane) const;
  u32 call_of(Lane& lane) const;
  TraceEvent& add(Lane& lane, TraceEvent::Kind kind, u8 flags = 0);
  void add_region(Lane& lane, TraceEvent::Kind kind, u32 name, u64 at_ns);
  void add_message(Lane& lane, TraceEvent::Kind kind, u8 flags, const Message& message);
  u64 add_request(Lane& lane, u64 handle, const Started& started);
  void finish_call(Lane& lane);

  RecordBytes bytes_;
  std::shared_ptr<const RankOfTrace> rank_;
  bool as_messages_;
  std::map<u32, Lane> lanes_;
  u64 begin_ns_ = 0, end_ns_ = 0;    ///< of the last event
  const Lane* continued_ = nullptr;  ///< whose call the last event was of
  Requests started_;
  std::unordered_map<u64, Persistent> persistent_;
  u64 requests_ = 0;
  u64 position_ = 0;
  u64 self_sends_ = 0, self_receives_ = 0;
};

}  // namespace weft::workloads
