// Reader of Dimemas traces.
#pragma once

#include <list>
#include <map>
#include <memory>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "workloads/trace/format/bsc/collective_roots.hpp"
#include "workloads/trace/format/bsc/dimemas_lines.hpp"
#include "workloads/trace/trace_source.hpp"

namespace weft::workloads {

/// Reads once from front to back.
class DimemasReader final : public TraceReader {
 public:
  /// `roots`: of newer traces; null to read old ones, or to find them.
  DimemasReader(std::unique_ptr<ByteSource> source, std::shared_ptr<const CollectiveRoots> roots);
  bool next(TraceRecord& record) override;
  [[nodiscard]] u64 position() const override { return position_; }
  [[nodiscard]] u32 tasks() const override { return header_.tasks; }
  [[nodiscard]] const DimemasHeader& header() const { return header_; }
  /// Reads all of a newer trace for its roots.
  [[nodiscard]] CollectiveRoots find_roots();

 private:
  using Call = std::tuple<u64, u64, u64>;
  /// What a task has started: receives by source, tag and communicator, collectives by operation and communicator.
  struct TaskState {
    u64 requests = 0;
    std::map<Call, std::list<u64>> receives, collectives;
    std::map<u32, u64> rooted;  ///< calls with a root so far, by communicator
  };
  [[nodiscard]] bool take_message(TraceRecord& record);
  void take_collective(TraceRecord& record);
  /// A new request of a call, of those that are to be waited for in order.
  u64 start(TaskState& state, std::list<u64>& calls);
  /// The oldest of them, which is over; true for `is_last` if there is none left.
  u64 end(std::list<u64>& calls, bool& is_last);
  [[nodiscard]] u32 communicator_of(u64 name) const;
  [[nodiscard]] u64 in_range(u64 value, const char* field, u64 most) const;

  TextCursor text_;
  DimemasHeader header_;
  std::shared_ptr<const CollectiveRoots> roots_;
  DimemasLine line_;
  std::unordered_map<u32, TaskState> states_;
  u64 position_ = 0, pending_ = 0;  ///< pending_: requests that nobody has waited for
};

}  // namespace weft::workloads
