// Reads timelines that open_columns has written, some tasks at a time.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "engine/base/file/hdf5_file.hpp"
#include "tools/result/timeline/timeline_frame.hpp"
#include "workloads/program/timeline.hpp"

namespace weft::tools::timeline {

/// All members throw InputError for what is no such file, or damaged.
class TimelineReader {
 public:
  explicit TimelineReader(const std::string& path);
  [[nodiscard]] const TimelineFrame& frame() const { return frame_; }
  using OfTask = std::function<void(u32 task, std::span<const workloads::TimelineRecord> records)>;
  /// Each task that has records, in ascending order, from the beginning each time; one block is in memory.
  void each_task(const OfTask& f) const;

 private:
  void read_jobs();
  [[nodiscard]] std::vector<workloads::TimelineRecord> block(u64 number) const;

  files::Hdf5Reader file_;
  TimelineFrame frame_;
  u64 blocks_ = 0;
};

}  // namespace weft::tools::timeline
