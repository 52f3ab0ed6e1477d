// A config file of CODES: sections in braces, options with a value or a list of values, comments from # on.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/types.hpp"

namespace weft::tools::codes {

struct Entry {
  std::string name;
  std::vector<std::string> values;
  bool list = false;  ///< written in parentheses
  u64 line = 0;

  /// As a file has it: NAME="VALUE", or NAME=("VALUE", "VALUE").
  [[nodiscard]] std::string text() const;
};

struct Section {
  std::string name;
  u64 line = 0;
  std::vector<Entry> entries;
  std::vector<Section> sections;

  [[nodiscard]] const Section* section(std::string_view name) const;
};

/// The whole file, a section without a name. Throws ConfigError with file and line for what is none.
[[nodiscard]] Section parse_conf(std::string_view text, const std::string& file);

}  // namespace weft::tools::codes
