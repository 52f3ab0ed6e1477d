// Reader of GraphML: what `weft topology --export` writes, and graphs of other programs whose vertices say what they
// are.
#pragma once

#include <string>

#include "tools/fabric/fabric.hpp"

namespace weft::tools {

/// `file` as messages show it. Throws InputError with file and line.
[[nodiscard]] Fabric read_graphml(std::string text, const std::string& file);

}  // namespace weft::tools
