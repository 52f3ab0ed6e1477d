// Reader of our own TOML form, for fabrics that no tool has printed: written by hand or by a script (docs/fabrics.md).
#pragma once

#include <string>
#include <string_view>

#include "tools/fabric/fabric.hpp"
#include "tools/fabric/read/not_hosts.hpp"

namespace weft::tools {

/// `file` as messages show it. Throws InputError with file and line.
[[nodiscard]] Fabric read_toml_fabric(std::string_view text, const std::string& file, const NotHosts& not_hosts);

}  // namespace weft::tools
