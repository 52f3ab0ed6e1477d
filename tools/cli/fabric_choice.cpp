// Files, fabrics and answers of the commands of weft fabric.
#include "tools/cli/fabric_choice.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/base/error.hpp"
#include "engine/base/file/atomic_file.hpp"
#include "engine/base/file/output_path.hpp"
#include "engine/base/text/shown.hpp"
#include "tools/cli/command_files.hpp"

namespace weft::tools {

namespace {

/// The files that a config names as a network. What is no config says so when it is read as a fabric, and a pipe can be
/// read only once.
void reads_files_of_config(files::CommandFiles& files, const FabricChoice& choice) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(choice.path, none)) return;
  try {
    reads_config(files, Config::load(choice.path, choice.overrides));
  } catch (const ConfigError&) {
  }
}

/// What the settings of packets name, in overrides of a fabric that is no config.
void reads_files_of_packets(files::CommandFiles& files, const FabricChoice& choice) {
  try {
    const Config config =
        Config::load("packets", choice.overrides, [](const std::string&) { return std::string("format = 1\n"); });
    for (const Setting& setting : settings()) {
      if (setting.is_path && config.given(setting.key))
        files.reads(setting.key, config.resolve_path(config.text(setting.key)));
    }
  } catch (const ConfigError&) {
  }
}

}  // namespace

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

void reads_fabric(files::CommandFiles& files, const FabricChoice& choice) {
  files.reads("FABRIC", choice.path);
  files.reads("--tables", choice.tables);
  for (const std::string& pattern : choice.not_hosts) files.reads("--not-hosts", file_of_pattern(pattern));
  reads_files_of_config(files, choice);
  if (choice.overrides_packets) reads_files_of_packets(files, choice);
}

LoadedFabric load_choice(const FabricChoice& choice) {
  LoadedFabric loaded{load_fabric(choice.path, choice.overrides, choice.overrides_packets, choice.not_hosts),
                      std::nullopt};
  if (!choice.tables.empty()) loaded.tables = load_tables(choice.tables, loaded.fabric);
  return loaded;
}

RoutedFabric route_choice(const FabricChoice& choice, const std::string& engine,
                          const models::RoutingOptions& options) {
  if (!choice.tables.empty() && !engine.empty()) {
    throw ConfigError(
        fmt::format("--tables {} and --engine {} are both given (routes come from one of them); leave one out",
                    shown(choice.tables), shown(engine)));
  }
  LoadedFabric loaded = load_choice(choice);
  if (loaded.tables) return {std::move(loaded.fabric), std::move(*loaded.tables), "tables " + choice.tables};
  const std::string name = engine.empty() ? "minhop" : engine;
  models::FabricRouting made = models::route_subnet(loaded.fabric.subnet, name, options);
  return {std::move(loaded.fabric), std::move(made.tables), name, made.layers.used};
}

}  // namespace weft::tools
