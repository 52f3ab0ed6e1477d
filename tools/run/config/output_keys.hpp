// Which settings name files that a run writes, and what these are called where a command makes several runs.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "tools/run/config/config.hpp"

namespace weft::tools {

/// Relative to the working directory. Whatever else names a file names one that is read (Setting::is_path).
inline constexpr std::array output_keys{"statistics.events", "statistics.matches", "statistics.timeline",
                                        "checkpoint.path"};
/// Keys of files that a run writes to besides its result.
inline constexpr std::array record_keys{"statistics.events", "statistics.matches", "statistics.timeline"};

/// The file of one of several runs: "events-seed-2.txt" of "events.txt" and "seed-2". A device or pipe stays what it
/// is.
[[nodiscard]] std::string path_of_run(const std::string& path, const std::string& run);

/// The files that a run of the config writes for one of record_keys: one for each seed; none if it is not given.
[[nodiscard]] std::vector<std::string> record_paths(const Config& config, const std::string& key);

/// "table.key=value" for each file of record_keys that the config names, so that a run of many has its own:
/// STEM.events.txt, STEM.matches.csv, STEM.timeline.pftrace, with the ending that the config gives them.
[[nodiscard]] std::vector<std::string> records_beside(const Config& config, const std::string& stem);

}  // namespace weft::tools
