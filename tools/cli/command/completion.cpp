// `weft completion`: a script by which a shell completes commands and options.
#include "tools/cli/completion.hpp"

#include <memory>
#include <string>

#include "tools/cli/command.hpp"
#include "tools/cli/common_options.hpp"

namespace weft::tools {
namespace {

void add_completion(CLI::App& app, Command& chosen) {
  const auto shell = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("completion", "a script by which a shell completes commands and options");
  command->add_option("SHELL", *shell, "bash, zsh or fish")->required();
  command->footer(
      "An installed weft has them where shells look. Examples:\n"
      "  source <(weft completion bash)\n"
      "  weft completion fish > ~/.config/fish/completions/weft.fish");
  command->callback(
      [shell, &app, &chosen] { chosen = print_once(shell_completion(*shell, command_text(app, "weft"))); });
}

[[maybe_unused]] const bool completion_registered =
    CommandRegistry::instance().add("completion", {.place = 910, .add = add_completion});

}  // namespace
}  // namespace weft::tools
