// Where the NICs of compute nodes are, and which routers belong together for that.
#include "models/topology/attachment.hpp"

#include <numeric>

#include "engine/base/error.hpp"

namespace weft::models {

Attachment::Attachment(const Topology& topology, u32 nics, u32 row)
    : nics_(nics),
      planes_(topology.planes()),
      nics_in_plane_(nics / planes_),
      row_(row),
      plane_nodes_(topology.plane().nodes()) {
  WEFT_ASSERT(nics_ == nics_in_plane_ * planes_ && nics_ > 0 && plane_nodes_ % (u64{nics_in_plane_} * row_) == 0);
}

std::vector<u32> Attachment::groups(const Topology& topology) const {
  std::vector<u32> parent(topology.routers());
  std::iota(parent.begin(), parent.end(), 0U);
  const auto root = [&parent](u32 router) {
    while (parent[router] != router) router = parent[router] = parent[parent[router]];
    return router;
  };
  for (u32 node = 0; node < nodes(); ++node) {
    const u32 first = topology.router_of(home(node)).value();
    for (u32 nic = 1; nic < nics_; ++nic) {
      const u32 a = root(first), b = root(topology.router_of(endpoint(node, nic)).value());
      parent[std::max(a, b)] = std::min(a, b);
    }
  }
  u32 count = 0;
  std::vector<u32> group(parent.size());
  // Roots come before the rest of their groups.
  for (u32 router = 0; router < parent.size(); ++router)
    group[router] = parent[router] == router ? count++ : group[root(router)];
  return group;
}

std::optional<u32> Attachment::torn(const Topology& topology, const PartOf& part_of) const {
  for (u32 node = 0; nics_ > 1 && node < nodes(); ++node) {
    const u32 part = part_of(topology.router_of(home(node)).value());
    for (u32 nic = 1; nic < nics_; ++nic) {
      if (part_of(topology.router_of(endpoint(node, nic)).value()) != part) return node;
    }
  }
  return {};
}

u32 nodes_of_leaf(const Topology& topology) {
  const Topology& plane = topology.plane();
  const u32 each = plane.nodes_at(plane.router_of(NodeId(0)));
  if (plane.nodes() % each != 0) return 0;
  for (u32 node = 0; node < plane.nodes(); ++node) {
    const RouterId leaf = plane.router_of(NodeId(node));
    if (leaf != plane.router_of(NodeId(node - node % each)) || plane.nodes_at(leaf) != each) return 0;
  }
  return each;
}

}  // namespace weft::models
