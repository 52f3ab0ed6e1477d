// Lists of tasks as a command line has them.
#pragma once

#include <string>
#include <vector>

#include "engine/base/types.hpp"

namespace weft::tools {

/// "0-15,20": numbers and ranges, both ends included. Empty for an empty text. Throws ConfigError.
[[nodiscard]] std::vector<u32> parse_tasks(const std::string& text);

}  // namespace weft::tools
