// Where a program is that a command names.
#pragma once

#include <string>

namespace weft::process {

/// Where PATH leads to, or the path itself; empty if there is no such program.
[[nodiscard]] std::string program_path(const std::string& word);

}  // namespace weft::process
