// What every topology can answer from its wiring.
#include "models/topology/topology.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"

namespace weft::models {

u32 Topology::nodes_at(RouterId router) const {
  if (direct()) return 1;
  u32 count = 0;
  for (u32 p = 0; p < ports(router); ++p) count += peer(router, p).kind == Peer::Kind::node ? 1 : 0;
  return count;
}

u32 Topology::link_class(RouterId router, u32 port) const {
  return !direct() && peer(router, port).kind == Peer::Kind::node ? node_link_class() : 0;
}

u32 Topology::kind_ports(u32 kind_ix) const {
  for (u32 r = 0; r < routers(); ++r) {
    if (kind(RouterId(r)) == kind_ix) return ports(RouterId(r));
  }
  throw Bug(fmt::format("{} has no router of kind {}", name(), kind_ix));
}

u32 Topology::most_ports() const {
  u32 most = 0;
  for (u32 k = 0; k < kinds(); ++k) most = std::max(most, kind_ports(k));
  return most;
}

u64 Topology::kind_routers(u32 kind_ix) const {
  if (kinds() == 1) return routers();
  u64 count = 0;
  for (u32 r = 0; r < routers(); ++r) count += kind(RouterId(r)) == kind_ix ? 1 : 0;
  return count;
}

std::optional<NodeRange> Topology::worst_case(NodeId from) const {
  const u32 group = group_nodes();
  if (group == 0 || group >= nodes()) return {};
  return NodeRange{static_cast<u32>((u64{from.value()} / group + 1) * group % nodes()), group};
}

std::string Topology::port_name(RouterId router, u32 port) const {
  const u32 links = ports(router);
  if (direct() && port == links) return "node port";
  if (port >= links) throw Bug(fmt::format("router {} of the {} has no port {}", router.value(), name(), port));
  return link_name(router, port);
}

std::string Topology::link_name(RouterId /*router*/, u32 port) const { return fmt::format("port {}", port); }

u32 Topology::work(RouterId router) const {
  u32 links = direct() ? 1 : 0;
  for (u32 p = 0; p < ports(router); ++p) links += peer(router, p).kind != Peer::Kind::none ? 1 : 0;
  return links;
}

}  // namespace weft::models
