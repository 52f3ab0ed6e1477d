// The commands of `weft fabric` as plain functions of their options; as commands.hpp for the others.
#pragma once

#include <string>
#include <vector>

#include "engine/types.hpp"

namespace weft::tools {

/// A fabric file or a config, and what goes with it.
struct FabricChoice {
  std::string path;
  std::vector<std::string> overrides;  ///< of a config
  std::string tables;                  ///< forwarding tables; empty: none
};

struct FabricInfoOptions {
  FabricChoice fabric;
  std::string json;  ///< "-": standard output, which then holds nothing else; empty: as text
};
/// Prints what a fabric is made of.
void print_fabric_info(const FabricInfoOptions& options);

}  // namespace weft::tools
