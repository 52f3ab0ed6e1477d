// The command line of `weft fabric`: a part of command_line.cpp that is large enough for a file of its own.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "tools/weft/command_line.hpp"

namespace weft::tools {

/// A command that one process does alone; the other ranks of a parallel start have nothing to do.
[[nodiscard]] Command on_first_rank(std::function<void()> action);

/// Adds the group `fabric` with its commands.
void add_fabric(CLI::App& app, Command& chosen);

}  // namespace weft::tools
