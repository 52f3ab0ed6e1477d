// Reader of GraphML: what `weft topology --export` writes, and graphs of other programs whose vertices say what they
// are.
#pragma once

#include <string>

#include "tools/fabric/fabric.hpp"
#include "tools/fabric/read/not_hosts.hpp"

namespace weft::tools {

/// `file` as messages show it. Throws InputError with file and line.
[[nodiscard]] Fabric read_graphml(std::string text, const std::string& file, const NotHosts& not_hosts);

}  // namespace weft::tools
