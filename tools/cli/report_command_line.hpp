// The command line of `weft report` and `weft plot`.
#pragma once

#include <CLI/CLI.hpp>

#include "tools/cli/command_line.hpp"

namespace weft::tools {

/// Declares the commands that show results.
void add_report(CLI::App& app, Command& chosen);
void add_plot(CLI::App& app, Command& chosen);

}  // namespace weft::tools
