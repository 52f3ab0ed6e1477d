// The command line of `weft trace`: a part of command_line.cpp that is large enough for a file of its own.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "tools/weft/command_line.hpp"

namespace weft::tools {

/// A command that is known but cannot be done yet: whatever its arguments, it says so.
CLI::App* add_unavailable(CLI::App& parent, const std::string& name, const std::string& help,
                          const std::string& instead, Command& chosen);

/// Adds the group `trace` with its commands.
void add_trace(CLI::App& app, Command& chosen);

}  // namespace weft::tools
