// Commands of the program; each registers itself in a file of its own, in tools/cli/command.
#pragma once

#include <functional>
#include <string>

#include "engine/base/registry.hpp"
#include "engine/transport.hpp"

namespace CLI {
class App;
}

namespace weft::tools {

/// What the user asked for. Called on every rank; throws what goes wrong.
using Command = std::function<void(engine::Transport&)>;

/// Thrown by a command that has said everything itself: the process ends with this code and no further word.
struct EndedWith {
  int code;
};

/// A command that one process does alone; the other ranks of a parallel start have nothing to do.
[[nodiscard]] Command on_first_rank(std::function<void()> action);
/// A command that prints a text.
[[nodiscard]] Command print_once(std::string text);

/// How a command is declared. It registers under its words: "run", or "trace info" in the group "trace".
struct CommandKind {
  /// Lists of commands are in this order; equal ones by name.
  int place = 500;
  /// Adds the subcommand to the program or its group, with options, help and examples (CLI::App::footer); its callback
  /// sets `chosen`. A group adds itself alone.
  void (*add)(CLI::App& parent, Command& chosen) = nullptr;
  /// It starts programs or makes folders that are not to be left behind, whatever ends it.
  bool starts_programs = false;
  /// Its --threads are ranks.
  bool takes_threads = false;
};
using CommandRegistry = Registry<CommandKind>;

}  // namespace weft::tools
