// The script for fish: conditions on the command that the words lead to, and a line for each thing that it takes.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/base/error.hpp"
#include "tools/cli/completion.hpp"

namespace weft::tools {
namespace {

std::string fish_text(const std::string& text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result + "'";
}

/// Arguments of `complete` for a value.
std::string fish_value(const Completion& value) {
  switch (value.kind) {
    case Completion::Kind::words:
      return fmt::format(" -x -a {}", fish_text(fmt::format("{}", fmt::join(value.words, " "))));
    case Completion::Kind::settings:
      return " -x -a '$__weft_settings'";
    case Completion::Kind::files: {
      std::string endings;
      for (const std::string& ending : value.endings) endings += " ." + ending;
      return value.endings.empty() ? " -r -F" : fmt::format(" -x -a '(__weft_files{})'", endings);
    }
    case Completion::Kind::folders:
      return " -x -a '(__fish_complete_directories)'";
    case Completion::Kind::nothing:
      return " -x";
  }
  throw Bug("a kind of completion without shell code");
}

std::string fish_lines(const CommandText& command) {
  const std::string begin = fmt::format("complete -c weft -n {}", fish_text("__weft_at " + fish_text(command.name)));
  std::string text;
  for (const CommandText& below : command.commands)
    text += fmt::format("{} -a {} -d {}\n", begin, below.last_word(), fish_text(below.help));
  for (const OptionText& option : command.options) {
    text += begin;
    for (const std::string& name : option.names)
      text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    if (!option.value.empty()) text += fish_value(completion_of(option));
    text += fmt::format(" -d {}\n", fish_text(option.help));
  }
  if (command.commands.empty() && !command.arguments.empty()) {
    const Completion value = completion_of(command.arguments.front());
    if (value.kind != Completion::Kind::nothing) text += begin + fish_value(value) + "\n";
  }
  return text;
}

constexpr const char* fish_functions = R"(# Completion of weft for fish, written by: weft completion fish
# Files with one of the endings, and folders on the way to them.
function __weft_files
    for file in (__fish_complete_path (commandline -ct))
        set -l path (string split \t -- $file)[1]
        string match -q '*/' -- $path; and echo $path; and continue
        for ending in $argv
            string match -q "*$ending" -- $path; and echo $path
        end
    end
end
# Whether the words lead to this command.
function __weft_at
    set -l command weft
    for word in (commandline -opc)[2..-1]
        switch "$command $word"
            case)";

}  // namespace

std::string fish_completion(const CommandText& weft) {
  const auto all = all_commands(weft);
  std::string text = fish_functions;
  for (const CommandText* const command : all) {
    if (command != &weft) text += " " + fish_text(command->name);
  }
  text +=
      "\n                set command \"$command $word\"\n        end\n    end\n    test \"$command\" = "
      "\"$argv[1]\"\nend\n";
  text += fmt::format("set -g __weft_settings {}\ncomplete -c weft -f\n", fmt::join(setting_words(), " "));
  for (const CommandText* const command : all) text += fish_lines(*command);
  return text;
}

}  // namespace weft::tools
