// Which of the settings that were given change nothing in a run, and why.
#pragma once

#include <string>
#include <vector>

#include "tools/run/config/config.hpp"
#include "tools/run/config/settings.hpp"

namespace weft::tools {

/// A key without effect. The message is "KEY = VALUE has no effect WHY; ADVICE".
struct WithoutEffect {
  std::string key;
  std::string why;     ///< "with congestion.kind = \"none\"", "on multistage routers (...)"
  std::string advice;  ///< "remove it, or use kind = \"dcqcn\""
};

/// The keys given that have no effect: keys of kinds of network or router that are not in use, keys that the kind in
/// use ignores, and those whose rows have conditions that do not hold. Of a config whose kinds are known; others have
/// fewer.
[[nodiscard]] std::vector<WithoutEffect> keys_without_effect(const Config& config);

/// All settings but those of kinds that a config does not choose, and those whose rows have conditions that do not
/// hold.
[[nodiscard]] std::vector<const Setting*> settings_in_use(const Config& config);

/// Whether the config file itself, not one that it includes, gives a key that has no effect there, whatever overrides
/// make of it.
[[nodiscard]] bool has_no_effect_in_file(const Config& config, const std::string& key);

}  // namespace weft::tools
