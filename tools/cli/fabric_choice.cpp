// Files, fabrics and answers of the commands of weft fabric.
#include "tools/cli/fabric_choice.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/base/error.hpp"
#include "engine/base/file/atomic_file.hpp"
#include "engine/base/file/output_path.hpp"
#include "engine/base/file/standard_output.hpp"
#include "engine/base/text/shown.hpp"
#include "tools/cli/config_files.hpp"

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

void write_answer(const std::string& json_path, const nlohmann::json& json, const std::string& text) {
  if (json_path.empty()) return files::print(text);
  const std::string answer = json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  if (json_path == "-") return files::print(answer);
  files::write_file_atomically(json_path, answer, files::Streams::allowed);
  files::print(text);
}

}  // namespace weft::tools
