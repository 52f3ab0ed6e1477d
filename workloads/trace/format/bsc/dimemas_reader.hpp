// Reader of Dimemas traces.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "workloads/trace/format/bsc/dimemas_lines.hpp"
#include "workloads/trace/trace_source.hpp"

namespace weft::workloads {

/// The roots of collective operations of newer traces, which only their own lines tell: by communicator, of its
/// operations with a root one after the other. Found by a pass of its own.
class DimemasRoots {
 public:
  static constexpr u32 unknown = ~u32{0};
  /// A line of an operation with a root.
  void add(const DimemasLine& line, u32 communicator, bool is_root);
  [[nodiscard]] u32 root(u32 communicator, u64 call) const;

 private:
  std::unordered_map<u64, u64> calls_;     ///< by task and communicator, so far
  std::map<u32, std::vector<u32>> roots_;  ///< [communicator][call]
};

/// Reads once from front to back.
class DimemasReader final : public TraceReader {
 public:
  /// `roots`: of newer traces; null to read old ones, or to find them.
  DimemasReader(std::unique_ptr<ByteSource> source, std::shared_ptr<const DimemasRoots> roots);
  bool next(TraceRecord& record) override;
  [[nodiscard]] u64 position() const override { return position_; }
  [[nodiscard]] u32 tasks() const override { return header_.tasks; }
  [[nodiscard]] const DimemasHeader& header() const { return header_; }
  /// Reads all of a newer trace for its roots.
  [[nodiscard]] DimemasRoots find_roots();

 private:
  using Call = std::tuple<u64, u64, u64>;
  /// What a task has started: receives by source, tag and communicator, collectives by operation and communicator.
  struct TaskState {
    u64 requests = 0;
    std::map<Call, std::deque<u64>> receives, collectives;
    std::map<u32, u64> rooted;  ///< calls with a root so far, by communicator
  };
  [[nodiscard]] bool take_message(TraceRecord& record);
  void take_collective(TraceRecord& record);
  [[nodiscard]] u32 communicator_of(u64 name) const;
  [[nodiscard]] u64 in_range(u64 value, const char* field, u64 most) const;

  TextCursor text_;
  DimemasHeader header_;
  std::shared_ptr<const DimemasRoots> roots_;
  DimemasLine line_;
  std::unordered_map<u32, TaskState> states_;
  u64 position_ = 0;
};

}  // namespace weft::workloads
