// A config as one text that means the same wherever it lies and whatever is edited later: for runs that wait in a queue
// or are resumed.
#pragma once

#include <string>
#include <vector>

#include "tools/run/config/config.hpp"

namespace weft::tools {

/// Keys of the kinds of topology and router of a config that name a file.
[[nodiscard]] std::vector<std::string> network_files(const Config& config);
/// Keys of the policy of placement of a config that name a file.
[[nodiscard]] std::vector<std::string> placement_files(const Config& config);

/// Files that its workloads read behind those that keys name, as they can be opened: those of a folder, a pattern or a
/// file that lists them. Throws InputError if what the keys name cannot be read.
[[nodiscard]] std::vector<std::string> files_behind(const Config& config);

/// Absolute paths of the files whose content decides what the run does: trace and what it is made of, placement, what
/// topology and router read. What cannot be read is left to the run to say.
[[nodiscard]] std::vector<std::string> input_files(const Config& config);

/// Keys of all settings that name a file, of jobs too.
[[nodiscard]] std::vector<std::string> keys_of_files(const Config& config);

/// "table.key=value" for each file that the config names, with its absolute path.
[[nodiscard]] std::vector<std::string> absolute_paths(const Config& config);

/// The settings that were given, as TOML, with absolute paths and with the place where each was given as comment; above
/// them a line "# input: PATH" for each of `input_files`. Read back, it is the same run. (What has its default is left
/// out: some settings may not be given together.)
[[nodiscard]] std::string frozen_toml(const Config& config);

/// Every setting that the run goes by, defaults included, as TOML with absolute paths of inputs: what a result keeps.
/// Read back, wherever it lies, it is the same run. Left out is what has no value or no effect.
[[nodiscard]] std::string complete_toml(const Config& config);

}  // namespace weft::tools
