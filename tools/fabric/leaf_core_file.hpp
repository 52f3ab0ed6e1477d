// Files that describe a cluster of leaf and core switches by a handful of numbers: [leaf_core] in TOML.
#pragma once

#include <optional>
#include <string>

#include "models/subnet/leaf_core.hpp"

namespace weft::tools {

/// The shape that a file describes; none if it has no table [leaf_core]. Throws ConfigError with file:line for unknown
/// keys and wrong values, and what stands for a file that cannot be read.
[[nodiscard]] std::optional<models::LeafCoreShape> read_leaf_core(const std::string& path);

}  // namespace weft::tools
