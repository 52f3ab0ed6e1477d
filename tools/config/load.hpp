// From TOML text to checked values of settings; with convert.cpp, all of the config that knows the TOML library.
#pragma once

#include <string>
#include <vector>

#include "tools/config/settings.hpp"

namespace weft::tools {

/// A setting as somebody gave it.
struct ReadValue {
  std::string key;
  SettingValue value;  ///< of the row's type, in the row's range
  std::string place;   ///< "file.toml:12" or "--set table.key=value"
};

/// All values of a config file. Throws ConfigError with file:line.
[[nodiscard]] std::vector<ReadValue> read_config_file(const std::string& path);

/// One override, "table.key=value". Throws ConfigError.
[[nodiscard]] ReadValue read_override(const std::string& text);

}  // namespace weft::tools
