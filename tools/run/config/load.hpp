// From TOML text to checked values of settings; with convert.cpp and toml_text.cpp, all of the config that knows the
// TOML library.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/base/types.hpp"
#include "tools/run/config/settings.hpp"

namespace weft::tools {

/// Gives the text of a config file, or throws.
using ReadFile = std::function<std::string(const std::string& path)>;

/// What gave a setting.
enum class GivenBy : u8 { file, included_file, override };

/// A setting as somebody gave it.
struct ReadValue {
  std::string key;
  SettingValue value;  ///< of the row's type, in the row's range; a relative path as seen from the first file's folder
  std::string place;   ///< "file.toml:12" or "--set table.key=value"
  GivenBy by = GivenBy::file;
};

/// An element of [[job]].
struct ReadJob {
  std::string name;
  std::string place;              ///< of its table
  std::string instance_of;        ///< the name in the file, of one of several instances; else empty
  std::vector<ReadValue> values;  ///< keys as of rows: "workload.tasks", "job.start_ns"
};

/// A config file with all that it includes.
struct ReadFiles {
  std::vector<ReadValue> values;   ///< of a key that is there several times the last one counts
  std::vector<ReadJob> jobs;       ///< names differ
  std::vector<std::string> paths;  ///< of all files, the first one in front
};

/// Files include others by the key `include`: they are read in front of the values of the file itself, so that it can
/// give other ones. Throws ConfigError with file:line, behind those of the files that include it; SystemError for a
/// read error.
[[nodiscard]] ReadFiles read_config_files(const std::string& path, const ReadFile& read);

/// One override, "table.key=value" or "job.NAME.table.key=value". Throws ConfigError.
[[nodiscard]] ReadValue read_override(const std::string& text);

}  // namespace weft::tools
