// Manual pages of the commands, from what the command line knows of them.
#pragma once

#include <string>

#include "tools/cli/command_text.hpp"

namespace weft::tools {

/// The page of a command in the language of man(7). `parent`: name of the command above it, empty: none.
[[nodiscard]] std::string man_page(const CommandText& command, const std::string& parent);

/// Writes NAME.1 of a command and of all below it into a folder that is there.
void write_man_pages(const CommandText& command, const std::string& folder);

}  // namespace weft::tools
