// Partitions from files: what gpmetis and other partitioners write.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/types.hpp"

namespace weft::engine {

/// Reads a partition file: a line per vertex with the number of its part, from 0; # starts a comment, empty lines do
/// not count. Throws InputError with file and line if a number is malformed or not below `parts`, if there are more or
/// fewer than `vertices`, or if a part stays empty; SystemError for a read error.
[[nodiscard]] std::vector<u32> partition_from_file(const std::string& path, u32 vertices, u32 parts);

/// Reads a partition from the text of a file; `name` stands for it in errors.
[[nodiscard]] std::vector<u32> read_partition(std::string_view text, const std::string& name, u32 vertices, u32 parts);

}  // namespace weft::engine
