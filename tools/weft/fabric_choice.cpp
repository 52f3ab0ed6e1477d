// Files, fabrics and answers of the commands of weft fabric.
#include "tools/weft/fabric_choice.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/error.hpp"
#include "engine/shown.hpp"
#include "tools/result/atomic_file.hpp"

namespace weft::tools {

void reads_fabric(CommandFiles& files, const FabricChoice& choice) {
  files.reads("FABRIC", choice.path);
  files.reads("--tables", choice.tables);
}

LoadedFabric load_choice(const FabricChoice& choice) {
  LoadedFabric loaded{load_fabric(choice.path, choice.overrides, choice.overrides_packets), std::nullopt};
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
  if (json_path.empty()) return print(text);
  const std::string answer = json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  if (json_path == "-") return print(answer);
  write_file_atomically(json_path, answer, Streams::allowed);
  print(text);
}

}  // namespace weft::tools
