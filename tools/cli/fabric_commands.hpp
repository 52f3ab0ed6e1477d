// The commands of `weft fabric` as plain functions of their options; as commands.hpp for the others.
#pragma once

#include <string>
#include <vector>

#include "engine/base/types.hpp"

namespace weft::tools {

/// A fabric file or a config, and what goes with it.
struct FabricChoice {
  std::string path;
  std::vector<std::string> overrides;  ///< of a config
  bool overrides_packets = false;      ///< they are settings of packets too: any fabric may have them
  std::string tables;                  ///< forwarding tables; empty: none
  std::vector<std::string> not_hosts;  ///< patterns of adapters that are no hosts
};

struct FabricInfoOptions {
  FabricChoice fabric;
  std::string json;  ///< "-": standard output, which then holds nothing else; empty: as text
};
/// Prints what a fabric is made of.
void print_fabric_info(const FabricInfoOptions& options);

struct FabricCheckOptions {
  FabricChoice fabric;
  std::string sl_to_vl;  ///< tables from service levels to virtual lanes; empty: one lane
  u32 service_level = 0;
  std::string json;
};
/// Prints whether a fabric is sound: its cables, the routes of its tables, credit loops. Throws StuckError if something
/// cannot arrive or could block for ever.
void check_fabric(const FabricCheckOptions& options);

struct FabricPathsOptions {
  FabricChoice fabric;
  std::string from, to;
};
/// Prints the path from a host to another, hop by hop.
void print_fabric_paths(const FabricPathsOptions& options);

}  // namespace weft::tools
