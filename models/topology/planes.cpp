// Copies of a network side by side, by arithmetic.
#include "models/topology/planes.hpp"

#include <fmt/format.h>

#include "engine/base/error.hpp"

namespace weft::models {

Peer PlanesTopology::peer(RouterId router, u32 port) const {
  Peer peer = plane().peer(there(router), port);
  const u32 number = router.value() / plane().routers();
  if (peer.kind == Peer::Kind::router) peer.id += number * plane().routers();
  if (peer.kind == Peer::Kind::node) peer.id += number * plane().nodes();
  return peer;
}

RouterId PlanesTopology::router_of(NodeId node) const {
  const u32 number = node.value() / plane().nodes();
  return RouterId(number * plane().routers() + plane().router_of(there(node)).value());
}

std::string PlanesTopology::name() const { return fmt::format("{} planes, each a {}", planes_, plane().name()); }

std::vector<std::pair<std::string, std::string>> PlanesTopology::facts() const {
  std::vector<std::pair<std::string, std::string>> facts = plane().facts();
  for (auto& [label, value] : facts) value += " in each plane";
  facts.emplace_back("planes", std::to_string(planes_));
  return facts;
}

RegularPartition PlanesTopology::regular_partition(u32 parts) const {
  RegularPartition partition = plane().regular_partition(parts);
  if (partition.part_of) {
    partition.part_of = [of_plane = std::move(partition.part_of), routers = plane().routers()](u32 router) {
      return of_plane(router % routers);
    };
  }
  return partition;
}

std::unique_ptr<Topology> with_planes(std::unique_ptr<Topology> plane, u32 planes) {
  if (planes == 1) return plane;
  constexpr u64 most = u64{1} << 31;
  const u64 largest = std::max(plane->nodes(), plane->routers());
  if (largest * planes > most) {
    throw ConfigError(
        fmt::format("topology.planes = {} of {} make more than {} routers or nodes (the most that there are numbers "
                    "for); use {} or "
                    "fewer",
                    planes, plane->name(), most, std::max<u64>(1, most / largest)));
  }
  return std::make_unique<PlanesTopology>(std::move(plane), planes);
}

}  // namespace weft::models
