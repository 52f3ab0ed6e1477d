// Counts shortest routes level by level; see the header.
#include "tools/cli/command/shortest_routes.hpp"

#include <algorithm>
#include <vector>

namespace weft::tools {

std::optional<ShortestRoutes> shortest_routes_of(const models::Topology& topology) {
  constexpr u32 unseen = ~u32{0}, most_routers = u32{1} << 22;
  if (topology.routers() > most_routers) return std::nullopt;
  std::vector<u32> away(topology.routers(), unseen);
  std::vector<double> routes(topology.routers(), 0);
  const u32 start = topology.router_of(NodeId(0)).value();
  std::vector<u32> level = {start}, next;
  away[start] = 0;
  routes[start] = 1;
  for (u32 links = 1; !level.empty(); ++links, level.swap(next), next.clear()) {
    for (const u32 router : level) {
      for (u32 port = 0; port < topology.ports(RouterId(router)); ++port) {
        const models::Peer peer = topology.peer(RouterId(router), port);
        if (peer.kind != models::Peer::Kind::router || !topology.carries(RouterId(router), port)) continue;
        if (away[peer.id] == unseen) {
          away[peer.id] = links;
          next.push_back(peer.id);
        }
        if (away[peer.id] == links) routes[peer.id] += routes[router];
      }
    }
  }
  ShortestRoutes found;
  for (u32 node = 0; node < topology.nodes(); ++node) {
    const u32 router = topology.router_of(NodeId(node)).value();
    if (away[router] == unseen || away[router] < found.links) continue;
    if (away[router] > found.links) found = {away[router], routes[router], routes[router]};
    found.least = std::min(found.least, routes[router]);
    found.most = std::max(found.most, routes[router]);
  }
  return found;
}

}  // namespace weft::tools
