// The command line of `weft fabric report`, `compare` and `what-if`: options, help and examples.
#include <fmt/format.h>
#include <memory>

#include "engine/base/error.hpp"
#include "models/subnet/engine/routing_engine.hpp"
#include "tools/cli/common_options.hpp"
#include "tools/cli/fabric_command_line.hpp"
#include "tools/cli/fabric_page_commands.hpp"

namespace weft::tools {
namespace {

template <class Options>
void add_patterns(CLI::App* command, Options& options) {
  command->add_option("--count", options.count, "random bisect patterns that the bandwidth is measured with")
      ->type_name("N")
      ->capture_default_str()
      ->check(CLI::Range(u64{1}, u64{1} << 30).description(""));
  command->add_option("--seed", options.seed, "of these patterns")->type_name("S")->capture_default_str();
}

template <class Options>
void add_routes_and_patterns(CLI::App* command, Options& options) {
  add_tables(command, options.fabric);
  command->add_option("--engine", options.engine, "routing engine; weft fabric route --help has a list")
      ->type_name("E")
      ->check(CLI::IsMember(models::RoutingEngineRegistry::instance().names()).description(""));
  add_patterns(command, options);
}

/// Each link or switch in turn, in place of those that are named.
void add_each(CLI::App* command, FabricWhatIfOptions& options, CLI::Option* without) {
  CLI::Option* link =
      command->add_flag("--each-link", options.each_link, "every cable between switches in turn, ranked by its loss")
          ->excludes(without);
  command->add_flag("--each-switch", options.each_switch, "every switch in turn, ranked by its loss")
      ->excludes(without)
      ->excludes(link);
  command->add_option("--top", options.top, "of each: how many losses are listed; 0 for all")
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--by", options.by, "of each: bandwidth that ranks what cuts nobody off, bisect or all-to-all")
      ->type_name("WHAT")
      ->capture_default_str()
      ->check(CLI::IsMember({"bisect", "all-to-all"}).description(""));
  command->add_option("--csv", options.csv, "of each: a row for every loss")->type_name("FILE");
  add_progress(command, options.progress);
}

/// Options that have no effect on the form of the command that is asked for.
void check_each(const CLI::App& command, const FabricWhatIfOptions& options) {
  if (options.each_link || options.each_switch) {
    if (options.fabric.tables.empty()) return;
    throw ConfigError(
        "--tables has no effect on --each-link and --each-switch (an engine routes what is left after each loss); "
        "leave "
        "it out, and say --engine E");
  }
  for (const char* name : {"--top", "--by", "--csv", "--progress"}) {
    if (command.count(name) > 0)
      throw ConfigError(
          fmt::format("{} has no effect without --each-link or --each-switch (one loss is no ranking); leave it out or "
                      "say one of them",
                      name));
  }
}

}  // namespace

void add_fabric_report(CLI::App& group, Command& chosen) {
  const auto options = std::make_shared<FabricReportOptions>();
  CLI::App* command = group.add_subcommand("report", "a page: the fabric drawn with its loads, bandwidth, worst links");
  add_fabric_choice(command, options->fabric);
  add_routes_and_patterns(command, *options);
  command->add_option("-o,--out", options->out, "the page, all in one file")->type_name("PAGE.html")->required();
  command->add_option("--csv", options->csv, "a row per channel: from, port, to, port, targets, routes")
      ->type_name("FILE");
  command
      ->add_option("--counters", options->counters,
                   "counters of ports, from perfquery or ibqueryerrors: loads of links and errors on the page")
      ->type_name("FILE");
  command->add_option("--counters-before", options->counters_before, "an earlier reading, to be subtracted")
      ->type_name("FILE");
  command->add_option("--seconds", options->seconds, "between both readings, or since the counters were cleared")
      ->type_name("S")
      ->check(CLI::Range(1e-6, 1e12).description(""));
  command->footer(
      "Without --tables and --engine, routes are those of minhop.\n"
      "Examples:\n"
      "  weft fabric report ibnetdiscover.txt --tables opensm-lfts.dump --out fabric.html --csv links.csv\n"
      "  weft fabric report ibnetdiscover.txt --counters later.txt --counters-before first.txt --seconds 10 --out "
      "load.html\n"
      "  weft fabric report examples/thin-tree-uniform.toml --engine dmodk --out tree.html");
  command->callback([options, &chosen] { chosen = on_first_rank([options] { report_fabric(*options); }); });
}

void add_fabric_compare(CLI::App& group, Command& chosen) {
  const auto options = std::make_shared<FabricCompareOptions>();
  CLI::App* command = group.add_subcommand("compare", "routing engines side by side on one or several fabrics");
  command->add_option("FABRIC", options->fabrics, "fabric files, or configs whose topology they are; docs/fabrics.md")
      ->required();
  add_set(command, options->overrides, "of configs: another value for a setting; may be repeated");
  add_not_hosts(command, options->not_hosts);
  command
      ->add_option("--tables", options->tables,
                   "recorded forwarding tables, compared too; repeated, those of the next fabric")
      ->type_name("FILE")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
  command->add_option("--engine", options->engines, "only this routing engine; may be repeated")
      ->type_name("E")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false)
      ->check(CLI::IsMember(models::RoutingEngineRegistry::instance().names()).description(""));
  add_patterns(command, *options);
  add_progress(command, options->progress);
  add_json(command, options->json);
  command->add_option("--csv", options->csv, "a row for every engine of every fabric")->type_name("FILE");
  command->add_option("-o,--out", options->out, "a page with tables and curves, all in one file")
      ->type_name("PAGE.html");
  command->footer(
      "Examples:\n"
      "  weft fabric compare ibnetdiscover.txt --tables opensm-lfts.dump --out engines.html\n"
      "  mpirun -n 2 weft fabric compare examples/fabrics/chic.toml examples/fabrics/atlas.toml --csv engines.csv");
  command->callback([options, &chosen] {
    chosen = [options](engine::Transport& transport) { compare_engines_on(*options, transport); };
  });
}

void add_fabric_what_if(CLI::App& group, Command& chosen) {
  const auto options = std::make_shared<FabricWhatIfOptions>();
  CLI::App* command = group.add_subcommand("what-if", "a fabric without some links or switches, routed anew, compared");
  add_fabric_choice(command, options->fabric);
  add_routes_and_patterns(command, *options);
  CLI::Option* without =
      command
          ->add_option("--without", options->without,
                       "a switch, the cable in a port of a switch, or that of a host; may be repeated")
          ->type_name("NAME[:PORT]")
          ->expected(1)
          ->take_all()
          ->allow_extra_args(false);
  add_each(command, *options, without);
  add_json(command, options->json);
  command->add_option("-o,--out", options->out, "a page with drawings, all in one file")->type_name("PAGE.html");
  command->footer(
      "A name is a description, a GUID (0x...) or a LID. Without --engine, what has levels (weft fabric info) is "
      "routed\n"
      "with updn, anything else with minhop. With --tables, the fabric as those route it is shown too.\n"
      "Exit code 4 if hosts are cut off by --without. --each-link and --each-switch run on several ranks, too.\n"
      "Examples:\n"
      "  weft fabric what-if ibnetdiscover.txt --without 'spine 3' --without 'leaf 1:17'\n"
      "  weft fabric what-if examples/thin-tree-uniform.toml --engine dmodk --without n5 --json -\n"
      "  mpirun -n 2 weft fabric what-if ibnetdiscover.txt --each-link --top 10 --out losses.html");
  command->callback([options, command, &chosen] {
    check_each(*command, *options);
    if (options->each_link || options->each_switch) {
      chosen = [options](engine::Transport& transport) { rank_fabric_losses(*options, transport); };
      return;
    }
    chosen = on_first_rank([options] { compare_fabric(*options); });
  });
}

}  // namespace weft::tools
