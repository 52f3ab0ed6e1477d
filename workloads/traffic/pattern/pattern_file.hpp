// The file of a pattern that goes by one.
#pragma once

#include <fmt/format.h>
#include <string>

#include "engine/base/error.hpp"
#include "engine/base/text/text_file.hpp"
#include "workloads/traffic/pattern/pattern.hpp"

namespace weft::workloads {

/// Text of the file of workload.`key`. Throws ConfigError if it is not given, InputError if it cannot be read.
[[nodiscard]] inline std::string text_of_pattern_file(const PatternSpec& spec, const std::string& pattern,
                                                      const std::string& key, const std::string& example) {
  constexpr u64 most_bytes = u64{1} << 30;
  const std::string path = spec.keys.text(key);
  if (path.empty()) {
    throw ConfigError(
        fmt::format("workload.pattern \"{}\" needs a file (workload.{} is not given); add for example "
                    "{} = \"{}\"",
                    pattern, key, key, example));
  }
  return read_text_file<InputError>(path, most_bytes, "file of workload." + key);
}

}  // namespace weft::workloads
