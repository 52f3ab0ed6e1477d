// Records of a task as pictures show them: slices in rows, one inside another or one after the other.
#pragma once

#include <string>
#include <vector>

#include "tools/result/timeline/timeline_frame.hpp"
#include "workloads/program/timeline.hpp"

namespace weft::tools::timeline {

struct Slice {
  enum class Flow : u8 { none, begins, ends };
  Tick begin = 0, end = 0;
  std::string name;           ///< "wait for 3"
  const char* category = "";  ///< "computation", "communication", "wait"; of a region one of the first two
  bool is_region = false;
  Flow flow = Flow::none;                             ///< of the message `record.flow`
  const workloads::TimelineRecord* record = nullptr;  ///< null: of none
};

/// One row: slices in the order of their begins, of which each lies in one before it, or behind it.
struct SliceRow {
  u8 lane = 0;
  u32 number = 0;  ///< of the rows of the lane
  std::vector<Slice> slices;
};

/// Whether a record is of a message that is sent to, or comes from, its peer.
[[nodiscard]] inline bool goes_to_peer(const workloads::TimelineRecord& record) {
  using Kind = workloads::TimelineRecord::Kind;
  return record.kind == Kind::send || record.kind == Kind::await;
}
[[nodiscard]] inline bool comes_from_peer(const workloads::TimelineRecord& record) {
  using Kind = workloads::TimelineRecord::Kind;
  return record.kind == Kind::receive || record.kind == Kind::arrival;
}

/// Operations of a lane beside each other are in rows of their own. The records must outlive the rows.
[[nodiscard]] std::vector<SliceRow> rows_of(const std::vector<workloads::TimelineRecord>& records,
                                            const TimelineJob& job);

/// "task 3", "lane 2", "stream 1": what a row is called among those of its task.
[[nodiscard]] std::string name_of_row(const SliceRow& row, const TimelineJob& job);

}  // namespace weft::tools::timeline
