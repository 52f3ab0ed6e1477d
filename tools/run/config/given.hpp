// A key that is given with its default says no more than one that is not given.
#pragma once

#include <string>

#include "tools/run/config/config.hpp"

namespace weft::tools {

/// Whether the config gives the key, a job's too, with another value than its default: that of the kinds in use, or of
/// its row. What asks whether two keys contradict each other, or whether a key without effect is an error, asks this.
[[nodiscard]] bool given_otherwise(const Config& config, const std::string& key);

}  // namespace weft::tools
