// The command line: which words mean which command, and what is said about those that mean none.
#pragma once

#include <functional>

#include "engine/transport.hpp"

namespace weft::tools {

/// What the user asked for. Called on every rank; throws what goes wrong.
using Command = std::function<void(engine::Transport&)>;

/// Thrown by a command that has said everything itself: the process ends with this code and no further word.
struct EndedWith {
  int code;
};

/// A command that one process does alone; the other ranks of a parallel start have nothing to do.
[[nodiscard]] Command on_first_rank(std::function<void()> action);

/// Throws ConfigError for words that are no command line of weft, with the nearest that would be one.
[[nodiscard]] Command parse_command_line(int argc, const char* const* argv);

}  // namespace weft::tools
