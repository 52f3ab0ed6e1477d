// `weft fabric`: the group of commands about real fabrics, in command/fabric.
#include <CLI/CLI.hpp>

#include "tools/cli/command.hpp"

namespace weft::tools {
namespace {

void add_fabric(CLI::App& app, Command& /*chosen*/) {
  CLI::App* group = app.add_subcommand("fabric", "real fabrics: what they are, whether they are sound, how they route");
  group->require_subcommand(0, 1);
  group->footer(
      "Examples:\n"
      "  weft fabric info ibnetdiscover.txt\n"
      "  weft fabric check ibnetdiscover.txt --tables opensm-lfts.dump\n"
      "  weft fabric paths ibnetdiscover.txt 12 0x2c9010001 --tables opensm-lfts.dump");
}

[[maybe_unused]] const bool fabric_registered =
    CommandRegistry::instance().add("fabric", {.place = 110, .add = add_fabric});

}  // namespace
}  // namespace weft::tools
