// What `weft describe` says of plug-ins.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace weft::tools {

/// The plug-ins that are loaded, each with what it has registered.
[[nodiscard]] std::string describe_plugins();
/// The plug-ins that are loaded, each with what it has registered, as a list of objects.
[[nodiscard]] nlohmann::json plugins_json();

}  // namespace weft::tools
