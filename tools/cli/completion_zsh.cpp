// The script for zsh: the command that the words lead to, then _arguments with what that takes.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/base/error.hpp"
#include "tools/cli/completion.hpp"

namespace weft::tools {
namespace {

/// Inside single quotes and a specification of _arguments, where brackets and colons have a meaning.
std::string zsh_text(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\'') {
      result += "'\\''";
    } else if (c == '[' || c == ']' || c == ':' || c == '\\') {
      result += '\\';
      result += c;
    } else {
      result += c == '\n' ? ' ' : c;
    }
  }
  return result;
}

/// What completes a value, as _arguments wants it.
std::string zsh_value(const Completion& value) {
  switch (value.kind) {
    case Completion::Kind::words:
      return fmt::format("({})", fmt::join(value.words, " "));
    case Completion::Kind::settings:
      return "_weft_settings";
    case Completion::Kind::files:
      return value.endings.empty() ? "_files" : fmt::format("_files -g \"*.({})\"", fmt::join(value.endings, "|"));
    case Completion::Kind::folders:
      return "_files -/";
    case Completion::Kind::nothing:
      return " ";
  }
  throw Bug("a kind of completion without shell code");
}

/// '(--out -o)'{--out,-o}'[help]:VALUE:action', a repeated one with a star in front.
std::string zsh_option(const OptionText& option) {
  const std::string value =
      option.value.empty() ? "" : fmt::format(":{}:{}", zsh_text(option.value), zsh_value(completion_of(option)));
  std::string text;
  for (const std::string& name : option.names) {
    const std::string front = option.repeats ? "*" : fmt::format("({})", fmt::join(option.names, " "));
    text += fmt::format(" \\\n        '{}{}[{}]{}'", front, name, zsh_text(option.help), value);
  }
  return text;
}

std::string zsh_case(const CommandText& command) {
  std::string text = fmt::format("    ('{}')\n", command.name);
  if (!command.commands.empty()) {
    text += "      local -a commands=(\n";
    for (const CommandText& below : command.commands)
      text += fmt::format("        '{}:{}'\n", below.last_word(), zsh_text(below.help));
    text += "      )\n      [[ $words[CURRENT] == -* ]] || { _describe command commands; return }\n";
  }
  text += "      _arguments -s :";
  for (const OptionText& option : command.options) text += zsh_option(option);
  if (command.commands.empty() && !command.arguments.empty()) {
    const OptionText& argument = command.arguments.front();
    text += fmt::format(" \\\n        '*:{}:{}'", zsh_text(argument.value), zsh_value(completion_of(argument)));
  }
  return text + "\n      ;;\n";
}

}  // namespace

std::string zsh_completion(const CommandText& weft) {
  const auto all = all_commands(weft);
  std::string text =
      "#compdef weft\n# Completion of weft for zsh, written by: weft completion zsh\n_weft_settings() {\n";
  text += "  local -a keys=(";
  for (const std::string& word : setting_words()) text += "\n    " + word.substr(0, word.size() - 1);
  text += "\n  )\n  compadd -S = -a keys\n}\n";
  text +=
      "_weft() {\n  local command=weft depth=0 i\n  for ((i = 2; i < CURRENT; ++i)); do\n    case \"$command "
      "$words[i]\" in\n";
  for (const CommandText* const command : all) {
    if (command != &weft)
      text += fmt::format("      ('{}') command+=\" $words[i]\"; depth=$((i - 1)) ;;\n", command->name);
  }
  text += "    esac\n  done\n  shift $depth words\n  ((CURRENT -= depth))\n  case $command in\n";
  for (const CommandText* const command : all) text += zsh_case(*command);
  return text + "  esac\n}\n_weft \"$@\"\n";
}

}  // namespace weft::tools
