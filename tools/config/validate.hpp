// Checks of settings that belong together; those of single settings are made when a config is loaded.
#pragma once

#include "tools/config/config.hpp"
#include "tools/config/resolve.hpp"

namespace weft::tools {

/// Throws ConfigError for settings that contradict each other, would deadlock or would have no effect. Needs no
/// network: what depends on node counts is checked by the topology, the pattern or the kernel that is built from the
/// config.
void validate(const Config& config);

}  // namespace weft::tools
