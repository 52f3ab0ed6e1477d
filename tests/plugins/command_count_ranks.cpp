// A command from outside the source folders: `weft count-ranks` says on how many ranks it was started.
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>

#include "engine/base/file/standard_output.hpp"
#include "tools/cli/command.hpp"

namespace weft::tools {
namespace {

void add_count_ranks(CLI::App& app, Command& chosen) {
  const auto plain = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("count-ranks", "how many ranks there are");
  command->add_flag("--plain", *plain, "the number alone");
  command->footer(
      "Examples:\n"
      "  mpirun -n 2 weft count-ranks");
  command->callback([plain, &chosen] {
    chosen = [plain](engine::Transport& transport) {
      if (transport.rank() == 0) files::print(fmt::format("{}{}\n", *plain ? "" : "ranks: ", transport.size()));
    };
  });
}

const bool count_ranks_registered = CommandRegistry::instance().add("count-ranks", {.add = add_count_ranks});

}  // namespace
}  // namespace weft::tools
