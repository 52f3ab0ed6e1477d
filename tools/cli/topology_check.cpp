// Checks of a topology's wiring; see the header.
#include "tools/cli/topology_check.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <numeric>
#include <string>

#include "engine/base/error.hpp"

namespace weft::tools {
namespace {

using models::Peer;
using models::Topology;

[[noreturn]] void wrong(const Topology& topology, const std::string& what) {
  throw Bug(fmt::format("wiring of the {}: {}", topology.name(), what));
}

std::string port_name(u32 router, u32 port) { return fmt::format("port {} of router {}", port, router); }

/// `checked` of `count` ids, all different: multiples of a number near the golden section of `count` and prime to it,
/// so that no dimension or level of regular numbering is missed.
class SpreadSample {
 public:
  SpreadSample(u32 count, u32 most) : count_(count), checked_(std::min(count, most)) {
    if (checked_ == count_) return;
    step_ = static_cast<u32>(0.6180339887 * count);
    while (std::gcd(step_, count_) != 1) ++step_;
  }
  [[nodiscard]] u32 size() const { return checked_; }
  [[nodiscard]] u32 operator[](u32 ix) const { return static_cast<u32>(u64{ix} * step_ % count_); }

 private:
  u32 count_;
  u32 checked_;
  u32 step_ = 1;
};

/// Connected ports by what they lead to.
struct LinkEnds {
  u64 to_routers = 0;
  u64 to_nodes = 0;
};

void check_port(const Topology& topology, u32 router, u32 port, LinkEnds& ends) {
  const Peer peer = topology.peer(RouterId(router), port);
  if (peer.kind == Peer::Kind::none) return;
  if (peer.kind == Peer::Kind::node) {
    ++ends.to_nodes;
    const NodeId node(peer.id);
    if (topology.direct()) wrong(topology, port_name(router, port) + " leads to a node, though routers are the nodes");
    if (peer.id >= topology.nodes()) wrong(topology, port_name(router, port) + " leads to a node that does not exist");
    if (topology.router_of(node) != RouterId(router) || topology.port_of(node) != port) {
      wrong(topology, fmt::format("{} leads to node {}, which is elsewhere", port_name(router, port), peer.id));
    }
    return;
  }
  ++ends.to_routers;
  if (peer.id >= topology.routers() || peer.port >= topology.ports(RouterId(peer.id))) {
    wrong(topology, port_name(router, port) + " leads to a router or port that does not exist");
  }
  const Peer back = topology.peer(RouterId(peer.id), peer.port);
  if (back.kind != Peer::Kind::router || back.id != router || back.port != port) {
    wrong(topology,
          fmt::format("{} leads to {}, which leads elsewhere", port_name(router, port), port_name(peer.id, peer.port)));
  }
  const bool out = topology.carries(RouterId(router), port), in = topology.carries(RouterId(peer.id), peer.port);
  if (!out && !in) wrong(topology, port_name(router, port) + " has a link that carries packets neither way");
  if (!(out && in) && !topology.one_way())
    wrong(topology, port_name(router, port) + " has a one-way link, though there are none");
}

void check_node(const Topology& topology, u32 node) {
  const RouterId router = topology.router_of(NodeId(node));
  if (router.value() >= topology.routers()) wrong(topology, fmt::format("router of node {} does not exist", node));
  if (topology.direct()) return;
  const Peer peer = topology.peer(router, topology.port_of(NodeId(node)));
  if (peer.kind != Peer::Kind::node || peer.id != node) {
    wrong(topology, fmt::format("node {} is not at the port that it names", node));
  }
}

void check_totals(const Topology& topology, const LinkEnds& ends) {
  if (ends.to_routers != 2 * topology.router_links()) {
    wrong(topology,
          fmt::format("{} ports lead to routers, but there are {} links", ends.to_routers, topology.router_links()));
  }
  if (ends.to_nodes != (topology.direct() ? 0 : topology.nodes())) {
    wrong(topology, fmt::format("{} ports lead to nodes, but there are {} nodes", ends.to_nodes, topology.nodes()));
  }
}

}  // namespace

WiringCheck check_wiring(const Topology& topology, u32 most) {
  const SpreadSample routers(topology.routers(), most);
  const SpreadSample nodes(topology.nodes(), most);
  WiringCheck check;
  check.routers = routers.size();
  check.nodes = nodes.size();
  check.all = check.routers == topology.routers() && check.nodes == topology.nodes();
  LinkEnds ends;
  for (u32 ix = 0; ix < check.routers; ++ix) {
    const u32 router = routers[ix];
    const u32 ports = topology.ports(RouterId(router));
    for (u32 port = 0; port < ports; ++port) check_port(topology, router, port, ends);
    check.ports += ports;
  }
  for (u32 ix = 0; ix < check.nodes; ++ix) check_node(topology, nodes[ix]);
  if (check.all) check_totals(topology, ends);
  return check;
}

PortCounts count_ports(const Topology& topology) {
  PortCounts counts;
  counts.least = std::numeric_limits<u32>::max();
  for (u32 kind = 0; kind < topology.kinds(); ++kind) {  // asking each of 2^30 routers takes half a minute
    const u64 routers = topology.kind_routers(kind);
    if (routers == 0) continue;
    const u32 ports = topology.kind_ports(kind);
    counts.least = std::min(counts.least, ports);
    counts.most = std::max(counts.most, ports);
    counts.total += routers * ports;
  }
  return counts;
}

}  // namespace weft::tools
