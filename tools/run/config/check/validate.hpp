// Checks of settings that belong together; those of single settings are made when a config is loaded.
#pragma once

#include "tools/run/config/config.hpp"
#include "tools/run/config/resolve.hpp"

namespace weft::tools {

/// What becomes of given keys that have no effect. Those that are noted are said with --verbose.
enum class UnusedKeys : u8 {
  refused,        ///< but for what an included file gives, and what an override has made useless in the file
  noted_in_file,  ///< those of overrides are refused
  noted
};

/// Throws ConfigError for settings that contradict each other, would deadlock or would have no effect. Needs no
/// network: what depends on node counts is checked by the topology, the pattern or the kernel that is built from the
/// config.
void validate(const Config& config, UnusedKeys unused = UnusedKeys::refused);

}  // namespace weft::tools
