// Asks CLI11; see the header.
#include "tools/cli/command_text.hpp"

namespace weft::tools {
namespace {

OptionText option_text(const CLI::Option& option) {
  OptionText text;
  for (const std::string& name : option.get_lnames()) text.names.push_back("--" + name);
  for (const std::string& name : option.get_snames()) text.names.push_back("-" + name);
  const bool typed = !option.get_type_name().empty() && option.get_type_name() != "TEXT";
  if (option.get_expected_max() != 0) {
    text.value = option.get_positional() && !typed ? option.get_name(true) : option.get_type_name();
  }
  text.help = option.get_description();
  text.fallback = option.get_default_str();
  text.required = option.get_required();
  text.repeats = option.get_expected_max() > 1 || option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
  return text;
}

/// The commands below one, "trace info" as well as "trace".
std::vector<std::string> commands_below(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) {
    names.push_back(command->get_name());
    for (const std::string& inner : commands_below(*command)) names.push_back(command->get_name() + " " + inner);
  }
  return names;
}

}  // namespace

CommandText command_text(const CLI::App& app, const std::string& name) {
  CommandText command{name, app.get_description(), app.get_footer(), {}, {}, {}};
  for (const CLI::Option* const option : app.get_options()) {
    (option->get_positional() ? command.arguments : command.options).push_back(option_text(*option));
  }
  for (const CLI::App* const below : app.get_subcommands(nullptr)) {
    command.commands.push_back(command_text(*below, name + " " + below->get_name()));
  }
  return command;
}

std::vector<const CommandText*> all_commands(const CommandText& command) {
  std::vector<const CommandText*> all{&command};
  for (const CommandText& below : command.commands) {
    const auto more = all_commands(below);
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

std::string full_name(const CLI::App* app) {
  return app->get_parent() == nullptr ? app->get_name() : full_name(app->get_parent()) + " " + app->get_name();
}

KnownCommand known_command(const CLI::App& app) {
  KnownCommand command{full_name(&app), commands_below(app), {}};
  for (const CLI::Option* option : app.get_options()) {
    const std::string value = option->get_expected_max() == 0 ? "" : option->get_type_name();
    for (const std::string& name : option->get_lnames()) command.options.push_back({"--" + name, value});
  }
  return command;
}

}  // namespace weft::tools
