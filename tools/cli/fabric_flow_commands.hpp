// The commands of `weft fabric` that route and that send patterns over the routes, as plain functions of their options.
#pragma once

#include <string>

#include "engine/transport.hpp"
#include "tools/cli/fabric_commands.hpp"
#include "tools/fabric/packet_config.hpp"

namespace weft::tools {

struct FabricRouteOptions {
  FabricChoice fabric;
  std::string engine;
  u32 layers = 8;                ///< virtual layers at most
  std::string order = "switch";  ///< of destinations: switch or lid
  std::string out;               ///< tables as OpenSM dumps them
  std::string layers_out;        ///< layers of the routes; empty: none
  std::string json;              ///< "-": standard output; empty: as text
};
/// Routes a fabric and writes the tables. Throws StuckError, the file being written, if hosts cannot reach each other.
void route_fabric(const FabricRouteOptions& options);

/// Where routes come from and which patterns are sent: what ebb and applications have in common.
struct FabricFlowOptions {
  FabricChoice fabric;
  std::string engine;  ///< empty: minhop, unless there are tables
  u32 layers = 8;
  std::string order = "switch";  ///< of destinations: switch or lid
  u64 count = 0;                 ///< patterns; 0: 1,000 (50 as packets), or as many as the precision takes
  double precision = 0;
  u64 seed = 1;
  std::string mapping = "random";  ///< random, linear, file:F
  std::string lid = "first";       ///< first, average, best
  std::string progress = "auto";
  std::string json;
};

struct FabricEbbOptions {
  FabricFlowOptions flow;
  std::string pattern = "bisect";
  std::string out;       ///< HDF5; empty: none
  bool packets = false;  ///< send the patterns as packets, too
  PairMessages messages;
};
/// Effective bisection bandwidth, or that of another pattern. Collective.
void measure_fabric(const FabricEbbOptions& options, engine::Transport& transport);

struct FabricApplicationsOptions {
  FabricFlowOptions flow;
  std::string profile;
};
/// What applications keep of their speed. Collective.
void rate_applications(const FabricApplicationsOptions& options, engine::Transport& transport);

}  // namespace weft::tools
