// Routing by single-source shortest paths, made free of deadlock by virtual layers (Hoefler, Schneider, Lumsdaine:
// Optimized routing for large-scale InfiniBand networks, HotI 2009; Domke, Hoefler, Nagel: Deadlock-free oblivious
// routing for arbitrary topologies, IPDPS 2011).
#include "models/subnet/engine/paths.hpp"
#include "models/subnet/engine/virtual_layers.hpp"

namespace weft::models {
namespace {

/// Among shortest paths the one with the smallest sum of loads over all its links: Dijkstra's search with a weight so
/// large for each link, plus one for each route on it, that paths stay shortest.
class LightestWay final : public ChooseLinks {
 public:
  explicit LightestWay(const SwitchGraph& graph) : graph_(graph), loads_(graph), weight_(graph.switches(), 0) {}
  void choose(const Paths& paths, u32 /*target*/, std::span<u16> chosen) override {
    if (paths.order.empty()) return;
    weight_[graph_.hops(paths.order.front())[paths.of(0).front()].to] = 0;  // the destination
    for (u32 k = 0; k < paths.order.size(); ++k) {
      const u32 s = paths.order[k];
      const auto hops = graph_.hops(s);
      u64 least = ~u64{0};
      for (const u16 link : paths.of(k)) {
        const u64 weight = weight_[hops[link].to] + loads_.load(s, link);
        if (weight < least) least = weight, chosen[k] = link;
      }
      weight_[s] = least;
    }
    loads_.add_routes(paths, [&](u32 k) { return chosen[k]; });
  }

 private:
  const SwitchGraph& graph_;
  LinkLoads loads_;
  std::vector<u64> weight_;  ///< [switch], routes on all links to the destination
};

FabricRouting route_sssp(const Subnet& subnet, const RoutingOptions& options) {
  const SwitchGraph graph(subnet);
  LightestWay choice(graph);
  FabricRouting routing = fill_tables(subnet, graph, options, shortest_paths, choice);
  routing.layers = break_cycles(subnet, routing.tables, options.most_layers);
  return routing;
}

[[maybe_unused]] const bool sssp_registered = RoutingEngineRegistry::instance().add(
    "sssp",
    {.help = "shortest paths with the least load on all their links; virtual layers keep it free of deadlock (DFSSSP)",
     .route = route_sssp});

}  // namespace
}  // namespace weft::models
