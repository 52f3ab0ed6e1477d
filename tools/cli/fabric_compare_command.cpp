// `weft fabric compare`: routing engines on fabrics, one fabric after the other.
#include <fmt/format.h>
#include <list>
#include <nlohmann/json.hpp>

#include "engine/base/error.hpp"
#include "engine/base/file/atomic_file.hpp"
#include "engine/base/file/output_path.hpp"
#include "tools/cli/fabric_choice.hpp"
#include "tools/cli/fabric_page_commands.hpp"
#include "tools/fabric/compare_outputs.hpp"

namespace weft::tools {
namespace {

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

}  // namespace

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

}  // namespace weft::tools
