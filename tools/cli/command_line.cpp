// The command line, by CLI11: asks the registry which commands there are, and says what is wrong with words that are
// none.
#include "tools/cli/command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <utility>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/file/standard_output.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/launch.hpp"
#include "tools/cli/command_text.hpp"
#include "tools/cli/suggest_command.hpp"
#include "version.hpp"

namespace weft::tools {
namespace {

/// Adds the commands of a group ("" for the program), in the order of their places, and those below them.
void add_commands(CLI::App& parent, const std::string& group, Command& chosen) {
  const auto& registry = CommandRegistry::instance();
  std::vector<std::pair<int, std::string>> members;
  for (const std::string& words : registry.names()) {
    const std::size_t space = words.rfind(' ');
    if ((space == std::string::npos ? "" : words.substr(0, space)) == group)
      members.emplace_back(registry.find(words)->place, words);
  }
  std::ranges::sort(members);
  for (const auto& [place, words] : members) registry.find(words)->add(parent, chosen);
  for (const auto& [place, words] : members)
    add_commands(*parent.get_subcommand(words.substr(words.rfind(' ') + 1)), words, chosen);
}

/// The command that the words lead to: the last one in the chain of subcommands.
const CLI::App* deepest(const CLI::App* app) {
  while (!app->get_subcommands().empty()) app = app->get_subcommands().back();
  return app;
}

/// About words that CLI11 had no use for.
[[noreturn]] void fail_unexpected(const CLI::App& app, int argc, const char* const* argv) {
  const KnownCommand command = known_command(*deepest(&app));
  const std::string word = app.remaining(true).front();
  if (!word.starts_with("-")) throw ConfigError(about_unknown_word(command, word));
  const char* const* const end = argv + argc;
  const char* const* const place = std::find(argv, end, word);
  throw ConfigError(about_unknown_option(command, word, place == end || place + 1 == end ? "" : place[1]));
}

/// Two processes that do not know of each other would write the same files.
Command launched_well(Command action) {
  return [action = std::move(action)](engine::Transport& transport) {
    const std::string problem =
        engine::launch_problem([](const char* name) -> const char* { return std::getenv(name); }, transport.size());
    if (!problem.empty()) throw ConfigError(problem);
    action(transport);
  };
}

}  // namespace

Command on_first_rank(std::function<void()> action) {
  return [action = std::move(action)](engine::Transport& transport) {
    if (transport.rank() == 0) action();
  };
}

Command print_once(std::string text) {
  return on_first_rank([text = std::move(text)] { files::print(text); });
}

const CommandKind* named_command(int argc, const char* const* argv) {
  const auto& registry = CommandRegistry::instance();
  const CommandKind* const inner = argc > 2 ? registry.find(std::string(argv[1]) + " " + argv[2]) : nullptr;
  return inner != nullptr || argc <= 1 ? inner : registry.find(argv[1]);
}

Command parse_command_line(int argc, const char* const* argv) {
  Command chosen;
  CLI::App app(
      "weft: a parallel discrete-event simulator of interconnection networks.\n"
      "The same config and seed give the same result on any number of ranks: weft run --threads R ..., or\n"
      "mpirun -n R weft run ...",
      "weft");
  app.set_help_flag("-h,--help", "print this text and end");
  app.set_version_flag("-v,--version", std::string("weft ") + version, "print the version and end");
  app.require_subcommand(0, 1);
  app.get_formatter()->column_width(34);
  add_commands(app, "", chosen);
  app.footer(
      "Examples:\n"
      "  weft run examples/torus-uniform.toml --out torus.h5\n"
      "  weft report torus.h5 --out torus.html\n"
      "  weft describe router.routing\n"
      "Exit codes: 0 done; 2 usage or config; 3 bad input file; 4 the simulated system cannot proceed; 5 system;\n"
      "75 stopped early with a checkpoint written. weft COMMAND --help says more about a command.");
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return print_once(app.help());
  } catch (const CLI::CallForVersion& asked) {
    return print_once(std::string(asked.what()) + "\n");
  } catch (const CLI::ExtrasError&) {
    fail_unexpected(app, argc, argv);
  } catch (const CLI::ParseError& error) {
    const std::string name = full_name(deepest(&app));
    throw ConfigError(fmt::format("{0} (command line of {1}); see {1} --help", shown(error.what()), name));
  }
  if (!chosen) {
    const std::string name = full_name(deepest(&app));
    throw ConfigError(fmt::format("no command is given ({0} alone does nothing); see {0} --help", name));
  }
  return launched_well(std::move(chosen));
}

}  // namespace weft::tools
