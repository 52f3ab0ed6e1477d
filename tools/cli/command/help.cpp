// `weft help`: explains commands, and writes their manual pages.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/error.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/command_text.hpp"
#include "tools/cli/common_options.hpp"
#include "tools/cli/man_page.hpp"
#include "tools/cli/suggest_command.hpp"

namespace weft::tools {
namespace {

/// The help text of a command, as after --help.
std::string help_of(const CLI::App& app) {
  return app.get_formatter()->make_help(&app, full_name(&app), CLI::AppFormatMode::Normal);
}

void add_help(CLI::App& app, Command& chosen) {
  const auto words = std::make_shared<std::vector<std::string>>();
  const auto pages = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("help", "explain a command; the same as weft COMMAND --help");
  CLI::Option* const about_option =
      command->add_option("COMMAND", *words, "such as run, or trace info; none: all commands");
  command->add_option("--man", *pages, "write manual pages of all commands into this folder")
      ->type_name("FOLDER")
      ->excludes(about_option);
  command->footer(
      "Examples:\n"
      "  weft help run\n"
      "  weft help trace generate");
  command->callback([words, pages, &app, &chosen] {
    if (!pages->empty()) {
      chosen = on_first_rank([pages, text = command_text(app, "weft")] { write_man_pages(text, *pages); });
      return;
    }
    const CLI::App* about = &app;
    for (const std::string& word : *words) {
      const auto below = about->get_subcommands(nullptr);
      const auto inner =
          std::find_if(below.begin(), below.end(), [&](const auto* each) { return each->get_name() == word; });
      if (inner == below.end()) throw ConfigError(about_unknown_word(known_command(*about), word));
      about = *inner;
    }
    chosen = print_once(help_of(*about));
  });
}

[[maybe_unused]] const bool help_registered = CommandRegistry::instance().add("help", {.place = 900, .add = add_help});

}  // namespace
}  // namespace weft::tools
