// Each add_ function declares one command of `weft fabric` with its options, its help text and, at the end of that, examples.
#include "tools/weft/fabric_command_line.hpp"

#include <memory>

#include "tools/weft/fabric_commands.hpp"

namespace weft::tools {

void add_fabric_choice(CLI::App* command, FabricChoice& fabric) {
  command->add_option("FABRIC", fabric.path, "fabric file, or config whose topology it is; docs/fabrics.md")
      ->required();
  command->add_option("--set", fabric.overrides, "of a config: another value for a setting; may be repeated")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
}

void add_tables(CLI::App* command, FabricChoice& fabric) {
  command->add_option("--tables", fabric.tables, "forwarding tables: dump_lfts, opensm-lfts.dump or .fdbs")
      ->type_name("FILE");
}

void add_json(CLI::App* command, std::string& json) {
  command->add_option("--json", json, "write the same as JSON; - is standard output, with nothing else on it")
      ->type_name("FILE|-");
}

namespace {

void add_info(CLI::App& group, Command& chosen) {
  const auto options = std::make_shared<FabricInfoOptions>();
  CLI::App* command = group.add_subcommand("info", "what a fabric is made of: hosts, switches, links, levels");
  add_fabric_choice(command, options->fabric);
  add_tables(command, options->fabric);
  add_json(command, options->json);
  command->footer(
      "Examples:\n"
      "  weft fabric info ibnetdiscover.txt\n"
      "  weft fabric info examples/thin-tree-uniform.toml --json -");
  command->callback([options, &chosen] { chosen = on_first_rank([options] { print_fabric_info(*options); }); });
}

}  // namespace

void add_fabric(CLI::App& app, Command& chosen) {
  CLI::App* group = app.add_subcommand("fabric", "real fabrics: what they are, whether they are sound, how they route");
  group->require_subcommand(0, 1);
  add_info(*group, chosen);
  add_fabric_route(*group, chosen);
  add_fabric_ebb(*group, chosen);
  add_fabric_applications(*group, chosen);
  group->footer(
      "Examples:\n"
      "  weft fabric info ibnetdiscover.txt");
}

}  // namespace weft::tools
