// The command line of `weft study`: a part of command_line.cpp in a file of its own.
#pragma once

#include <CLI/CLI.hpp>

#include "tools/cli/command_line.hpp"

namespace weft::tools {

/// Adds the command `study`.
void add_study(CLI::App& app, Command& chosen);

}  // namespace weft::tools
