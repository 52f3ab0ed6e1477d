// Each add_ function declares one command of `weft fabric` with its options, its help text and, at the end of that,
// examples.
#include "tools/cli/fabric_command_line.hpp"

#include <memory>

#include "tools/cli/common_options.hpp"
#include "tools/cli/fabric_commands.hpp"

namespace weft::tools {

void add_fabric_choice(CLI::App* command, FabricChoice& fabric) {
  command->add_option("FABRIC", fabric.path, "fabric file, or config whose topology it is; docs/fabrics.md")
      ->required();
  add_set(command, fabric.overrides, "of a config: another value for a setting; may be repeated");
  add_not_hosts(command, fabric.not_hosts);
  add_plugin(command);
}

void add_not_hosts(CLI::App* command, std::vector<std::string>& not_hosts) {
  command
      ->add_option("--not-hosts", not_hosts,
                   "adapters that are no computers, by description (* any text, ? any character) or GUID, or a file "
                   "with one a line; may be repeated")
      ->type_name("PATTERN|file:F")
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

void add_check(CLI::App& group, Command& chosen) {
  const auto options = std::make_shared<FabricCheckOptions>();
  CLI::App* command = group.add_subcommand("check", "wiring, routes, loops and credit loops of a fabric");
  add_fabric_choice(command, options->fabric);
  add_tables(command, options->fabric);
  command->add_option("--sl2vl", options->sl_to_vl, "virtual lanes of service levels: opensm-sl2vl.dump")
      ->type_name("FILE");
  command->add_option("--sl", options->service_level, "service level of all routes, with --sl2vl")
      ->capture_default_str()
      ->check(CLI::Range(0U, 15U).description(""));
  add_json(command, options->json);
  command->footer(
      "Exit code 4 if hosts are cut off, a route does not arrive, or there are credit loops; 3 for a file that is "
      "damaged\n"
      "or does not fit the other.\n"
      "Examples:\n"
      "  weft fabric check ibnetdiscover.txt\n"
      "  weft fabric check ibnetdiscover.txt --tables opensm-lfts.dump.xz --json -");
  command->callback([options, &chosen] { chosen = on_first_rank([options] { check_fabric(*options); }); });
}

void add_paths(CLI::App& group, Command& chosen) {
  const auto options = std::make_shared<FabricPathsOptions>();
  CLI::App* command = group.add_subcommand("paths", "the path from a host to another, hop by hop");
  add_fabric_choice(command, options->fabric);
  command->add_option("A", options->from, "host: GUID (0x...), LID or description")->required();
  command->add_option("B", options->to, "host; a LID chooses one of several routes")->required();
  add_tables(command, options->fabric);
  command->footer(
      "Without --tables: how many shortest paths there are, and one of them.\n"
      "Examples:\n"
      "  weft fabric paths ibnetdiscover.txt 'node1 HCA-1' 'node7 HCA-1' --tables opensm-lfts.dump\n"
      "  weft fabric paths examples/thin-tree-uniform.toml n0 n9");
  command->callback([options, &chosen] { chosen = on_first_rank([options] { print_fabric_paths(*options); }); });
}

}  // namespace

void add_fabric(CLI::App& app, Command& chosen) {
  CLI::App* group = app.add_subcommand("fabric", "real fabrics: what they are, whether they are sound, how they route");
  group->require_subcommand(0, 1);
  add_info(*group, chosen);
  add_check(*group, chosen);
  add_paths(*group, chosen);
  add_fabric_route(*group, chosen);
  add_fabric_ebb(*group, chosen);
  add_fabric_applications(*group, chosen);
  add_fabric_report(*group, chosen);
  add_fabric_compare(*group, chosen);
  add_fabric_what_if(*group, chosen);
  group->footer(
      "Examples:\n"
      "  weft fabric info ibnetdiscover.txt\n"
      "  weft fabric check ibnetdiscover.txt --tables opensm-lfts.dump\n"
      "  weft fabric paths ibnetdiscover.txt 12 0x2c9010001 --tables opensm-lfts.dump");
}

}  // namespace weft::tools
