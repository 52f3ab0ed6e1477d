// The command line as plain data, for what is written about it: manual pages, completions of shells.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "tools/cli/suggest_command.hpp"

namespace weft::tools {

/// An option, or an argument without a name.
struct OptionText {
  std::vector<std::string> names;  ///< "--out", "-o"; none of an argument
  std::string value;               ///< "RESULT.h5", "CONFIG"; empty: a switch
  std::string help;
  std::string fallback;  ///< default value, where there is one to show
  bool required = false, repeats = false;
};

/// A command with those below it.
struct CommandText {
  std::string name;  ///< "weft trace info"
  std::string help, footer;
  std::vector<OptionText> options, arguments;
  std::vector<CommandText> commands;

  [[nodiscard]] std::string last_word() const { return name.substr(name.rfind(' ') + 1); }
};

/// All that CLI11 knows of a command; `name`: with the words before it.
[[nodiscard]] CommandText command_text(const CLI::App& app, const std::string& name);

/// The command itself and all below it.
[[nodiscard]] std::vector<const CommandText*> all_commands(const CommandText& command);

/// "weft trace info".
[[nodiscard]] std::string full_name(const CLI::App* app);

/// A command as suggestions need it.
[[nodiscard]] KnownCommand known_command(const CLI::App& app);

}  // namespace weft::tools
