// Reader of VEF traces: records that depend on others become what each task does, one after the other.
#pragma once

#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

#include "workloads/trace/format/vef/seen_numbers.hpp"
#include "workloads/trace/format/vef/vef_calls.hpp"
#include "workloads/trace/format/vef/vef_header.hpp"
#include "workloads/trace/trace_source.hpp"

namespace weft::workloads {

/// Reads once from front to back. Memory grows with messages that were sent and are not yet waited for, and with what
/// comes between the first and the last line of a collective call.
class VefReader final : public TraceReader {
 public:
  explicit VefReader(std::unique_ptr<ByteSource> source);
  bool next(TraceRecord& record) override;
  [[nodiscard]] u64 position() const override { return position_; }
  [[nodiscard]] u32 tasks() const override { return header_.tasks; }
  [[nodiscard]] const VefHeader& header() const { return header_; }

 private:
  /// An event to come, in short.
  struct Item {
    TraceEvent::Kind kind = TraceEvent::Kind::compute;
    u32 task = 0, peer = 0, tag = 0;
    u64 bytes = 0, line = 0;
    u64 call = 0;  ///< of a collective: its number
  };
  struct Message {
    u32 from = 0, to = 0;
    u64 bytes = 0, line = 0;
  };
  struct Dependence {
    u32 kind = 0;  ///< Dep without bit 2
    u64 time_ns = 0, on = 0;
  };

  void read_message();
  void read_collective();
  [[nodiscard]] Dependence read_dependence();
  void wait_for(u32 task, const Dependence& dependence);
  void put(const Item& item);
  void drain(u32 task);
  void finish();
  [[nodiscard]] Item item_of(TraceEvent::Kind kind, u32 task) const;

  TextCursor text_;
  VefHeader header_;
  VefCalls calls_;
  std::deque<Item> ready_;
  std::unordered_map<u32, std::deque<Item>>
      held_;                                    ///< by task: a collective call that is not complete, and what follows
  std::unordered_map<u32, u64> computed_;       ///< ns, by task that has computed
  std::unordered_map<u64, Message> in_flight_;  ///< sent, not waited for
  std::unordered_map<u64, u32> awaited_;        ///< by messages that come later: the task
  SeenNumbers messages_, collectives_;
  u64 collective_lines_ = 0;
  u64 position_ = 0;
  bool finished_ = false;
};

}  // namespace weft::workloads
