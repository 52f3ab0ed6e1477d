// What the commands of weft fabric share: the files of a choice, the fabric with its tables, the routes, the answer.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "engine/base/file/output_path.hpp"
#include "models/subnet/engine/routing_engine.hpp"
#include "tools/cli/fabric_commands.hpp"
#include "tools/fabric/load_fabric.hpp"

namespace weft::tools {

/// Notes what is read, so that nothing is written over it.
void reads_fabric(files::CommandFiles& files, const FabricChoice& choice);

/// A fabric, and its forwarding tables if the choice names some. Throws what load_fabric and load_tables do.
struct LoadedFabric {
  Fabric fabric;
  std::optional<models::ForwardingTables> tables;
};
[[nodiscard]] LoadedFabric load_choice(const FabricChoice& choice);

/// A fabric with its routes: the tables of the choice, or those of an engine (minhop if it is empty).
struct RoutedFabric {
  Fabric fabric;
  models::ForwardingTables tables;
  std::string routing;  ///< name of the engine, or "tables PATH"
  u32 layers = 1;
};
/// Throws ConfigError if tables and an engine are both given.
[[nodiscard]] RoutedFabric route_choice(const FabricChoice& choice, const std::string& engine,
                                        const models::RoutingOptions& options = {});

/// An answer as JSON to standard output ("-") instead of the text, or to a file beside it. Bytes of names that are no
/// UTF-8 are replaced.
void write_answer(const std::string& json_path, const nlohmann::json& json, const std::string& text);

}  // namespace weft::tools
