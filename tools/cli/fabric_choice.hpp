// What the commands of weft fabric share: their options, the files of a choice, the fabric with its tables, the routes.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/file/output_path.hpp"
#include "models/subnet/engine/routing_engine.hpp"
#include "tools/cli/common_options.hpp"
#include "tools/fabric/load_fabric.hpp"

namespace weft::tools {

/// A fabric file or a config, and what goes with it.
struct FabricChoice {
  std::string path;
  std::vector<std::string> overrides;  ///< of a config
  bool overrides_packets = false;      ///< they are settings of packets too: any fabric may have them
  std::string tables;                  ///< forwarding tables; empty: none
  std::vector<std::string> not_hosts;  ///< patterns of adapters that are no hosts
};

/// FABRIC, --set, --not-hosts, --plugin.
void add_fabric_choice(CLI::App* command, FabricChoice& fabric);
void add_not_hosts(CLI::App* command, std::vector<std::string>& not_hosts);
void add_tables(CLI::App* command, FabricChoice& fabric);
void add_json(CLI::App* command, std::string& json);

/// --count and --seed of what measures bandwidth.
template <class Options>
void add_patterns(CLI::App* command, Options& options) {
  command->add_option("--count", options.count, "random bisect patterns that the bandwidth is measured with")
      ->type_name("N")
      ->capture_default_str()
      ->check(CLI::Range(u64{1}, u64{1} << 30).description(""));
  command->add_option("--seed", options.seed, "of these patterns")->type_name("S")->capture_default_str();
}

/// --tables, --engine and the patterns.
template <class Options>
void add_routes_and_patterns(CLI::App* command, Options& options) {
  add_tables(command, options.fabric);
  command->add_option("--engine", options.engine, "routing engine; weft fabric route --help has a list")
      ->type_name("E")
      ->check(CLI::IsMember(models::RoutingEngineRegistry::instance().names()).description(""));
  add_patterns(command, options);
}

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

}  // namespace weft::tools
