// Min-hop routing: shortest paths, evenly loaded.
#include "models/subnet/engine/paths.hpp"

namespace weft::models {
namespace {

FabricRouting route_minhop(const Subnet& subnet, const RoutingOptions& options) {
  const SwitchGraph graph(subnet);
  BalancedChoice choice(graph, options);
  return fill_tables(subnet, graph, options, shortest_paths, choice);
}

[[maybe_unused]] const bool minhop_registered = RoutingEngineRegistry::instance().add(
    "minhop", {.help = "shortest paths; of several ports the one with the fewest routes so far, the lowest of equals",
               .route = route_minhop});

}  // namespace
}  // namespace weft::models
