// One TOML value checked against one row of the settings table.
#pragma once

#include <string>
#include <toml++/toml.h>

#include "tools/run/config/settings.hpp"

namespace weft::tools {

/// The value of `node` as the type of `setting`. Throws ConfigError, starting with `place`, for another type, a value
/// out of range (naming the nearest valid one), a number that is not finite, and a choice that does not exist.
[[nodiscard]] SettingValue converted(const Setting& setting, const toml::node& node, const std::string& place);

}  // namespace weft::tools
