// Suggestions for mistyped command lines; see the header.
#include "tools/cli/suggest_command.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

#include "engine/base/nearest.hpp"
#include "engine/base/text/shown.hpp"
#include "tools/run/config/settings.hpp"

namespace weft::tools {
namespace {

constexpr std::size_t longest_word = 80;
constexpr std::size_t longest_suggestion = 300;

std::string shown_word(const std::string& word) { return shown(word, longest_word); }
std::string shown_suggestion(const std::string& text) { return shown(text, longest_suggestion); }

std::string without_dashes(const std::string& word) {
  return word.substr(std::min(word.find_first_not_of('-'), word.size()));
}

/// A word in quotes if a shell would take it apart.
std::string as_typed(const std::string& word) {
  constexpr const char* harmless = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%";
  if (!word.empty() && word.find_first_not_of(harmless) == std::string::npos) return word;
  return word.find('\'') == std::string::npos ? "'" + word + "'" : '"' + word + '"';
}

/// An option and the value that came with it, `--name=value` or `--name value`.
struct Typed {
  std::string name;  ///< with its dashes
  std::optional<std::string> value;
};

Typed typed_option(const std::string& word, const std::string& next) {
  const std::size_t equals = word.find('=');
  if (equals != std::string::npos) return {word.substr(0, equals), word.substr(equals + 1)};
  const bool is_value = next == "-" || (!next.empty() && !next.starts_with("--"));
  return {word, is_value ? std::optional(next) : std::nullopt};
}

bool takes(const KnownCommand& command, const std::string& option) {
  return std::any_of(command.options.begin(), command.options.end(),
                     [&](const KnownOption& known) { return known.name == option; });
}

/// As many wrong letters as a slip of the hand makes.
std::size_t slips(const std::string& word) { return std::max<std::size_t>(1, word.size() / 3); }

/// "--set simulation.cycles=1000" for a name that is one of a setting, with or without its table; "" for others. Where
/// several tables have the name, all whose setting can take the value.
std::string as_setting(const std::string& option, const std::string& value) {
  std::string name = without_dashes(option);
  std::replace(name.begin(), name.end(), '-', '_');
  std::string text;
  for (const Setting& setting : settings()) {
    if (setting.key != name && setting.name() != name) continue;
    const bool is_choice = setting.type == SettingType::choice;
    if (is_choice && std::find(setting.choices.begin(), setting.choices.end(), value) == setting.choices.end())
      continue;
    text += fmt::format("{}--set {}", text.empty() ? "" : " or ", as_typed(setting.key + "=" + value));
  }
  return text;
}

/// What does the work of a file of this name; `below` is the command that it was given to.
std::string as_file(const KnownCommand& below, const std::string& word) {
  const auto named = [&](const char* end) { return word.ends_with(end); };
  const bool has = !below.commands.empty();
  if (!has) return "";
  const bool top = std::find(below.commands.begin(), below.commands.end(), "run") != below.commands.end();
  if (named(".trc") || named(".trc.xz") || named(".trc.zst")) {
    return fmt::format("{} {} {}", below.name, top ? "trace info" : "info", as_typed(word));
  }
  if (!top) return "";
  if (named(".h5")) return fmt::format("{} report {} --out report.html", below.name, as_typed(word));
  if (named(".toml") || word.find('/') != std::string::npos)
    return fmt::format("{} run {}", below.name, as_typed(word));
  return "";
}

}  // namespace

std::string about_unknown_option(const KnownCommand& command, const std::string& word, const std::string& next) {
  const Typed typed = typed_option(word, next);
  const std::string problem = fmt::format("'{}' is no option of {}", shown_word(word), command.name);
  const bool has_set = takes(command, "--set");
  if (has_set && (typed.name == "-n" || typed.name == "-np" || typed.name == "--np" || typed.name == "--ranks")) {
    const std::string ranks = as_typed(typed.value.value_or("RANKS"));
    if (takes(command, "--threads")) {
      return fmt::format("{} (ranks are threads, or processes that mpirun starts); did you mean {} --threads {}?",
                         problem, command.name, ranks);
    }
    return fmt::format("{} (mpirun starts the ranks); did you mean mpirun -n {} {}?", problem, ranks, command.name);
  }
  const std::string setting = has_set ? as_setting(typed.name, typed.value.value_or("VALUE")) : "";
  if (!setting.empty())
    return fmt::format("{} (it is a setting); did you mean {}?", problem, shown_suggestion(setting));

  std::vector<std::string> names;
  for (const KnownOption& option : command.options) {
    const bool no_pair = typed.value && typed.value->find('=') == std::string::npos;
    if (!(no_pair && option.value == "KEY=VALUE")) names.push_back(without_dashes(option.name));
  }
  const std::string name = without_dashes(typed.name);
  const std::string near = nearest(name, names, std::max(slips(name), name.size() / 2));
  if (near.empty() && command.name.ends_with("trace record")) {
    return fmt::format("{} (a program and its own options come after --); did you mean {} --out RUN -- PROGRAM {}?",
                       problem, command.name, shown_word(word));
  }
  if (near.empty()) return fmt::format("{} ({} --help lists them)", problem, command.name);
  const KnownOption& option =
      *std::find_if(command.options.begin(), command.options.end(),
                    [&](const KnownOption& known) { return without_dashes(known.name) == near; });
  const std::string value = option.value.empty() ? "" : " " + (typed.value ? as_typed(*typed.value) : option.value);
  return fmt::format("{} ({} --help lists them); did you mean {}{}?", problem, command.name, option.name,
                     shown_suggestion(value));
}

std::string about_unknown_word(const KnownCommand& command, const std::string& word) {
  const std::string file = as_file(command, word);
  if (!file.empty()) {
    return fmt::format("'{}' is no command of {} (it looks like a file); did you mean {}?", shown_word(word),
                       command.name, shown_suggestion(file));
  }
  if (!command.commands.empty()) {
    std::string text =
        fmt::format("'{0}' is no command of {1} ({1} --help lists them)", shown_word(word), command.name);
    const auto same_end = [&](const std::string& name) { return name.ends_with(" " + word); };
    const auto inner = std::find_if(command.commands.begin(), command.commands.end(), same_end);
    const std::string near = inner != command.commands.end() ? *inner : nearest(word, command.commands, slips(word));
    if (!near.empty()) text += fmt::format("; did you mean {} {}?", command.name, near);
    return text;
  }
  const std::size_t equals = word.find('=');
  if (equals != std::string::npos && takes(command, "--set")) {
    const std::string setting = as_setting(word.substr(0, equals), word.substr(equals + 1));
    if (!setting.empty()) {
      return fmt::format("'{}' is one word too many for {} (settings are options); did you mean {}?", shown_word(word),
                         command.name, shown_suggestion(setting));
    }
  }
  return fmt::format("'{0}' is one word too many for {1} (an option before it may want no value); see {1} --help",
                     shown_word(word), command.name);
}

}  // namespace weft::tools
