// What values can be, and the script for bash. A script goes through the words to find the command that they lead to,
// and knows its options, its arguments and the commands below it.
#include "tools/cli/completion.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/base/error.hpp"
#include "engine/base/system/shell.hpp"
#include "engine/base/text/shown.hpp"
#include "tools/run/config/settings.hpp"

namespace weft::tools {
namespace {

/// "graphml", "dot", "json" of "FILE.{graphml,dot,json}"; "trc", "goal" of "FILE.trc|FILE.goal".
std::vector<std::string> endings_of(const std::string& value) {
  std::vector<std::string> endings;
  std::string ending;
  bool inside = false;
  for (const char c : value + "|") {
    if (c == '.') {
      inside = true;
    } else if (c == '|' || c == ',' || c == '{' || c == '}') {
      if (inside && !ending.empty()) endings.push_back(ending);
      ending.clear();
      inside = inside && c != '|';
    } else if (inside) {
      ending += c;
    }
  }
  return endings;
}

/// Shell code that completes a value.
std::string bash_value(const Completion& value) {
  switch (value.kind) {
    case Completion::Kind::words:
      return fmt::format("_weft_words {}", process::shell_quoted(fmt::format("{}", fmt::join(value.words, " "))));
    case Completion::Kind::settings:
      return "_weft_words \"$_weft_settings\"; compopt -o nospace";
    case Completion::Kind::files:
      return value.endings.empty()
                 ? "_weft_files"
                 : fmt::format("_weft_files {}",
                               process::shell_quoted(fmt::format("{}", fmt::join(value.endings, "|"))));
    case Completion::Kind::folders:
      return "_weft_folders";
    case Completion::Kind::nothing:
      return "return";
  }
  throw Bug("a kind of completion without shell code");
}

constexpr const char* bash_head = R"(# Completion of weft for bash, written by: weft completion bash
_weft_words() { COMPREPLY=($(compgen -W "$1" -- "$cur")); }
_weft_folders() { compopt -o filenames; COMPREPLY=($(compgen -d -- "$cur")); }
# Files with one of the endings a|b, or any, and folders on the way to them.
_weft_files() {
  local IFS=$'\n' file
  compopt -o filenames
  COMPREPLY=()
  for file in $(compgen -f -- "$cur"); do
    if [[ -z ${1:-} || -d $file || $file =~ \.($1)$ ]]; then COMPREPLY+=("$file"); fi
  done
}
)";

constexpr const char* bash_words = R"(_weft() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} command=weft i
  COMPREPLY=()
  # --option=value is three words.
  if [[ $cur == = ]]; then cur=''; fi
  if [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD - 2]}; fi
  for ((i = 1; i < COMP_CWORD; ++i)); do
    case "$command ${COMP_WORDS[i]}" in
)";

std::string all_names(const CommandText& command) {
  std::string names;
  for (const OptionText& option : command.options) names += fmt::format("{} ", fmt::join(option.names, " "));
  return names;
}

/// The case of one command: values of options, then options, commands and arguments.
std::string bash_case(const CommandText& command) {
  std::string text = fmt::format("    {})\n      case $prev in\n", process::shell_quoted(command.name));
  for (const OptionText& option : command.options) {
    if (option.value.empty()) continue;
    text +=
        fmt::format("        {}) {}; return ;;\n", fmt::join(option.names, " | "), bash_value(completion_of(option)));
  }
  text += "      esac\n";
  text += fmt::format("      if [[ $cur == -* ]]; then _weft_words {}; return; fi\n",
                      process::shell_quoted(all_names(command)));
  if (!command.commands.empty()) {
    std::string names;
    for (const CommandText& below : command.commands) names += below.last_word() + " ";
    text += fmt::format("      _weft_words {}\n", process::shell_quoted(names));
  } else if (!command.arguments.empty()) {
    text += "      " + bash_value(completion_of(command.arguments.front())) + "\n";
  }
  return text + "      ;;\n";
}

}  // namespace

Completion completion_of(const OptionText& option) {
  const std::string& value = option.value;
  const auto is = [&](const char* part) { return value.find(part) != std::string::npos; };
  if (value == "WHEN") return {Completion::Kind::words, {"auto", "always", "never"}, {}};
  if (value == "SHELL") return {Completion::Kind::words, {"bash", "zsh", "fish"}, {}};
  if (value.ends_with("KEY=VALUE")) return {Completion::Kind::settings, {}, {}};
  if (value == "CONFIG" || value == "STUDY") return {Completion::Kind::files, {}, {"toml"}};
  if (value == "FOLDER") return {Completion::Kind::folders, {}, {}};
  std::vector<std::string> endings = endings_of(value);
  std::erase_if(endings, [](const std::string& ending) {
    return ending.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789") != std::string::npos;
  });
  if (!endings.empty()) return {Completion::Kind::files, {}, std::move(endings)};
  const bool file = is("FILE") || is("TRACE") || is("FABRIC") || is("RESULT");
  return {file ? Completion::Kind::files : Completion::Kind::nothing, {}, {}};
}

std::vector<std::string> setting_words() {
  std::vector<std::string> words;
  for (const Setting& setting : settings()) words.push_back(setting.key + "=");
  return words;
}

std::string bash_completion(const CommandText& weft) {
  std::string text = bash_head;
  text += fmt::format("_weft_settings={}\n", process::shell_quoted(fmt::format("{}", fmt::join(setting_words(), " "))));
  text += bash_words;
  const auto all = all_commands(weft);
  for (const CommandText* const command : all) {
    if (command != &weft)
      text += fmt::format("      {}) command+=\" ${{COMP_WORDS[i]}}\" ;;\n", process::shell_quoted(command->name));
  }
  text += "    esac\n  done\n  case $command in\n";
  for (const CommandText* const command : all) text += bash_case(*command);
  return text + "  esac\n}\ncomplete -F _weft weft\n";
}

std::string shell_completion(const std::string& shell, const CommandText& weft) {
  if (shell == "bash") return bash_completion(weft);
  if (shell == "zsh") return zsh_completion(weft);
  if (shell == "fish") return fish_completion(weft);
  throw ConfigError(
      fmt::format("there is no completion for the shell '{}' (bash, zsh and fish have one); write weft "
                  "completion bash",
                  shown(shell)));
}

}  // namespace weft::tools
