// Chooses the format of a timeline.
#include "tools/result/timeline/timeline_file.hpp"

#include "engine/base/error.hpp"
#include "tools/result/timeline/timeline_kind.hpp"

namespace weft::tools::timeline {

std::unique_ptr<TimelineFile> open_timeline(const std::string& path, TimelineFrame frame) {
  const auto kind = timeline_kind(path);
  WEFT_ASSERT(kind.has_value());
  if (*kind == TimelineKind::perfetto) return open_perfetto(path, std::move(frame));
  if (*kind == TimelineKind::chrome) return open_chrome(path, std::move(frame));
  if (*kind == TimelineKind::columns) return open_columns(path, std::move(frame));
  return open_archive(path, std::move(frame));
}

}  // namespace weft::tools::timeline
