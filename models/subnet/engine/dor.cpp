// Dimension-order routing for meshes, tori and hypercubes whose ports are numbered dimension by dimension.
#include <algorithm>

#include "models/subnet/engine/paths.hpp"

namespace weft::models {
namespace {

/// The lowest port of those on shortest paths: the lowest dimension in which there is still something to go.
class LowestPort final : public ChooseLinks {
 public:
  void choose(const Paths& paths, u32 /*target*/, std::span<u16> chosen) override {
    for (u32 k = 0; k < paths.order.size(); ++k) chosen[k] = paths.of(k).front();
  }
};

FabricRouting route_dor(const Subnet& subnet, const RoutingOptions& options) {
  const SwitchGraph graph(subnet);
  LowestPort choice;
  return fill_tables(subnet, graph, options, shortest_paths, choice);
}

[[maybe_unused]] const bool dor_registered = RoutingEngineRegistry::instance().add(
    "dor", {.help = "dimension order: the lowest port on a shortest path; for grids with ports numbered by dimension",
            .route = route_dor});

}  // namespace
}  // namespace weft::models
