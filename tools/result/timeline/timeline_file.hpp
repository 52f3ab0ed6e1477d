// Files that a timeline is written to: statistics.timeline.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tools/result/timeline/timeline_frame.hpp"
#include "workloads/program/timeline.hpp"

namespace weft::tools::timeline {

/// How long a link was taken in [begin, end), as a share of it.
struct LinkValue {
  Tick begin = 0, end = 0;
  double utilisation = 0;
};

/// Takes tasks in ascending order, then links. Until `finish` nothing is at its place. All may throw SystemError.
class TimelineFile {
 public:
  virtual ~TimelineFile() = default;
  /// All records of a task, in the order in which they were made.
  virtual void add_task(u32 task, const std::vector<workloads::TimelineRecord>& records) = 0;
  virtual void add_link(const std::string& /*name*/, std::span<const LinkValue> /*values*/) {}
  /// Puts it where it belongs. What it has no word for, a line each.
  virtual std::vector<std::string> finish() = 0;
};

/// By the end of the path (timeline_kind), which is one that is known.
[[nodiscard]] std::unique_ptr<TimelineFile> open_timeline(const std::string& path, TimelineFrame frame);

[[nodiscard]] std::unique_ptr<TimelineFile> open_perfetto(const std::string& path, TimelineFrame frame);
[[nodiscard]] std::unique_ptr<TimelineFile> open_chrome(const std::string& path, TimelineFrame frame);
/// Read by TimelineReader (timeline_reader.hpp).
[[nodiscard]] std::unique_ptr<TimelineFile> open_columns(const std::string& path, TimelineFrame frame);
/// Throws ConfigError as check_archive.
[[nodiscard]] std::unique_ptr<TimelineFile> open_archive(const std::string& path, TimelineFrame frame);

/// Before a run: throws ConfigError if what is at the path is something else than an archive that may be replaced, or
/// an empty folder; SystemError if nothing can be put there.
void check_archive(const std::string& path);

}  // namespace weft::tools::timeline
