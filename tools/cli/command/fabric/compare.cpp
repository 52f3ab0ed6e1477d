// `weft fabric compare`: routing engines on fabrics, one fabric after the other.
#include <fmt/format.h>
#include <list>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/file/atomic_file.hpp"
#include "engine/base/file/output_path.hpp"
#include "models/subnet/engine/routing_engine.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/command_files.hpp"
#include "tools/cli/common_options.hpp"
#include "tools/cli/fabric_choice.hpp"
#include "tools/fabric/report/compare_outputs.hpp"

namespace weft::tools {
namespace {

struct FabricCompareOptions {
  std::vector<std::string> fabrics;  ///< files or configs
  std::vector<std::string> overrides;
  std::vector<std::string> tables;  ///< of the first fabrics, in their order
  std::vector<std::string> not_hosts;
  std::vector<std::string> engines;  ///< empty: all
  u64 count = 1000;
  u64 seed = 1;
  std::string progress = "auto";
  std::string json, csv;
  std::string out;  ///< page
};

FabricChoice fabric_at(const FabricCompareOptions& options, std::size_t ix) {
  FabricChoice choice;
  choice.path = options.fabrics[ix];
  choice.overrides = options.overrides;
  choice.not_hosts = options.not_hosts;
  if (ix < options.tables.size()) choice.tables = options.tables[ix];
  return choice;
}

void note_files(const FabricCompareOptions& options) {
  files::CommandFiles files;
  for (std::size_t ix = 0; ix < options.fabrics.size(); ++ix) reads_fabric(files, fabric_at(options, ix));
  files.writes("--out", options.out, files::page_format());
  files.writes("--csv", options.csv, files::csv_format());
  files.writes("--json", options.json, files::json_format(), files::Streams::allowed);
}

/// Prints routing engines side by side on each fabric. Collective.
void compare_engines_on(const FabricCompareOptions& options, engine::Transport& transport) {
  if (options.tables.size() > options.fabrics.size()) {
    throw ConfigError(
        fmt::format("--tables are given {} times for {} fabrics (the n-th are those of the n-th fabric); "
                    "leave some out",
                    options.tables.size(), options.fabrics.size()));
  }
  const bool first = transport.rank() == 0;
  if (first) note_files(options);
  const CompareChoice choice{
      options.engines.empty() ? models::RoutingEngineRegistry::instance().names() : options.engines, options.count,
      options.seed};
  Progress progress(first ? progress_mode(options.progress) : Progress::Mode::never);
  std::list<LoadedFabric> fabrics;  // comparisons point into them
  std::vector<EngineComparison> all;
  for (std::size_t ix = 0; ix < options.fabrics.size(); ++ix) {
    const LoadedFabric& loaded = fabrics.emplace_back(load_choice(fabric_at(options, ix)));
    all.push_back(
        compare_engines(loaded.fabric, loaded.tables ? &*loaded.tables : nullptr, choice, transport, progress));
  }
  if (!first) return;
  if (!options.out.empty()) files::write_file_atomically(options.out, compare_page(all, choice));
  if (!options.csv.empty()) files::write_file_atomically(options.csv, csv_of(all));
  nlohmann::json fabrics_json = nlohmann::json::array();
  std::string text;
  for (const EngineComparison& comparison : all) {
    fabrics_json.push_back(json_of(comparison));
    text += (text.empty() ? "" : "\n") + text_of(comparison, choice);
  }
  write_answer(options.json, {{"patterns", choice.patterns}, {"seed", choice.seed}, {"fabrics", fabrics_json}}, text);
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

[[maybe_unused]] const bool fabric_compare_registered =
    CommandRegistry::instance().add("fabric compare", {.place = 80, .add = add_fabric_compare});

}  // namespace
}  // namespace weft::tools
