// The command line of `weft trace`: a part of command_line.cpp that is large enough for a file of its own.
#pragma once

#include <CLI/CLI.hpp>

#include "tools/cli/command_line.hpp"

namespace weft::tools {

/// Adds the group `trace` with its commands.
void add_trace(CLI::App& app, Command& chosen);

}  // namespace weft::tools
