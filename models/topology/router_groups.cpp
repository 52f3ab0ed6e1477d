// Walks over all links; two of them where links carry one way.
#include "models/topology/router_groups.hpp"

namespace weft::models {

std::vector<u32> router_groups(const Topology& topology) {
  constexpr u32 none = ~u32{0};
  std::vector<u32> group(topology.routers(), none);
  std::vector<u32> order;  // in which the first walk left the routers
  // The router at the far end, if the link carries packets there (`on`), or from there.
  const auto far_router = [&topology](u32 router, u32 port, bool on) {
    const Peer far = topology.peer(RouterId(router), port);
    if (far.kind != Peer::Kind::router) return none;
    return (on ? topology.carries(RouterId(router), port) : topology.carries(RouterId(far.id), far.port)) ? far.id
                                                                                                          : none;
  };
  struct Visit {
    u32 router, next_port;
  };
  std::vector<Visit> open;
  const auto walk = [&](u32 start, bool on, u32 number) {
    open.assign(1, {start, 0});
    group[start] = number;
    while (!open.empty()) {
      Visit& visit = open.back();
      if (visit.next_port == topology.ports(RouterId(visit.router))) {
        order.push_back(visit.router);
        open.pop_back();
        continue;
      }
      const u32 far = far_router(visit.router, visit.next_port++, on);
      if (far == none || group[far] != none) continue;
      group[far] = number;
      open.push_back({far, 0});
    }
  };
  u32 groups = 0;
  for (u32 r = 0; r < topology.routers(); ++r) {
    if (group[r] == none) walk(r, true, groups++);
  }
  if (!topology.one_way()) return group;
  // Who is reached against the links from the last of that order is of its group (Kosaraju, Sharir).
  std::vector<u32> last_first(order.rbegin(), order.rend());
  std::ranges::fill(group, none);
  groups = 0;
  for (const u32 r : last_first) {
    if (group[r] == none) walk(r, false, groups++);
  }
  return group;
}

}  // namespace weft::models
