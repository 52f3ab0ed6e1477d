// Up/down routing (Autonet): no path goes up again after it has gone down, so no cycle of waiting packets can close.
#include <algorithm>

#include "engine/base/error.hpp"
#include "models/subnet/engine/levels.hpp"
#include "models/subnet/engine/paths.hpp"

namespace weft::models {
namespace {

/// Whether all switches that have hosts and shortest paths to each other have up/down paths too. Others need none: a
/// root that lost a link cannot go down to every leaf any more, and is still good for the rest.
bool joins_all(const SwitchGraph& graph, const std::vector<u64>& above) {
  Paths paths, shortest;
  const auto sources = [&graph](const Paths& found) {
    return std::ranges::count_if(found.order, [&graph](u32 s) { return !graph.hosts(s).empty(); });
  };
  for (u32 s = 0; s < graph.switches(); ++s) {
    if (graph.hosts(s).empty()) continue;
    up_down_paths(graph, above, s, paths);
    shortest_paths(graph, s, shortest);
    if (sources(paths) != sources(shortest)) return false;
  }
  return true;
}

FabricRouting route_updn(const Subnet& subnet, const RoutingOptions& options) {
  const SwitchGraph graph(subnet);
  std::vector<u64> above = order_below(graph, roots_of(graph));
  // Below several roots two hosts may have no root in common; below one they have.
  if (!joins_all(graph, above)) above = order_below(graph, centres_of(graph));
  if (graph.one_way() && !joins_all(graph, above)) {
    throw ConfigError(
        "up/down routes do not lead from every switch to every other (links carry packets one way only, and nobody may "
        "go up again who has gone down); take the engine dor, minhop or sssp, with virtual layers");
  }
  BalancedChoice choice(graph, options);
  const auto find = [&above](const SwitchGraph& of, u32 destination, Paths& paths) {
    up_down_paths(of, above, destination, paths);
  };
  return fill_tables(subnet, graph, options, find, choice);
}

[[maybe_unused]] const bool updn_registered = RoutingEngineRegistry::instance().add(
    "updn", {.help = "up towards the roots, then down, never up again: free of deadlock; evenly loaded like minhop",
             .route = route_updn});

}  // namespace
}  // namespace weft::models
