// Which file statistics.timeline is, by the end of its name.
#pragma once

#include <optional>
#include <string>

namespace weft::tools {

enum class TimelineKind {
  perfetto,  ///< Perfetto's own format
  chrome,    ///< JSON of trace events
  otf2,      ///< a folder with an archive
  columns    ///< records as they are, in columns of HDF5: for weft explain
};

/// Nothing for a name of another end.
[[nodiscard]] inline std::optional<TimelineKind> timeline_kind(const std::string& path) {
  if (path.ends_with(".pftrace") || path.ends_with(".perfetto-trace")) return TimelineKind::perfetto;
  if (path.ends_with(".json")) return TimelineKind::chrome;
  if (path.ends_with(".h5") || path.ends_with(".hdf5")) return TimelineKind::columns;
  std::string folder = path;
  while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
  if (folder.ends_with(".otf2")) return TimelineKind::otf2;
  return {};
}

inline constexpr const char* timeline_endings =
    "NAME.pftrace (Perfetto), NAME.otf2 (a folder), NAME.h5 (for weft explain) or NAME.json (small ones)";

/// Most records of a timeline as JSON: browsers take no more than some hundred megabytes of it.
inline constexpr long most_chrome_records = 500'000;

}  // namespace weft::tools
