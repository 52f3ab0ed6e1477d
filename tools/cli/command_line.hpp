// The command line: which words mean which command, and what is said about those that mean none.
#pragma once

#include "tools/cli/command.hpp"

namespace weft::tools {

/// The command that the first words name, by its registration; null if none. Before the command line is parsed.
[[nodiscard]] const CommandKind* named_command(int argc, const char* const* argv);

/// Throws ConfigError for words that are no command line of weft, with the nearest that would be one.
[[nodiscard]] Command parse_command_line(int argc, const char* const* argv);

}  // namespace weft::tools
