// Asks the topology for the links of a switch, and the layout for who is at their ends.
#include "models/core/wiring.hpp"

#include <cmath>

#include "engine/base/error.hpp"
#include "engine/stop_look.hpp"

namespace weft::models {

EntityWires wires_of(const Topology& topology, const RouterSettings& settings, const Layout& layout, u32 entity,
                     u32 speedup) {
  engine::look_for_stop(entity);  // networks ask for all of them in turn
  const bool direct = topology.direct(), is_switch = entity < layout.local_routers();
  const u32 node_class = topology.node_link_class();
  EntityWires made;
  made.has_node = direct || !is_switch;
  const auto add = [&](u32 link_class, double rate, engine::Address peer, u32 peer_port, bool to_node) {
    const u32 cell = static_cast<u32>(std::lround(settings.cell_ticks_of(link_class) / rate));
    WEFT_ASSERT(cell % speedup == 0);
    made.wires.push_back({.peer = peer,
                          .peer_port = peer_port,
                          .ticks = settings.link_ticks_of(link_class),
                          .cell_ticks = cell,
                          .cross_ticks = cell / speedup,
                          .connected = true,
                          .to_node = to_node});
  };
  if (!is_switch) {
    const NodeId node = layout.node(entity);
    const RouterId router = topology.router_of(node);
    made.global = topology.routers() + node.value();
    const u32 port = topology.port_of(node);
    add(node_class, topology.link_rate(router, port), layout.address({Peer::Kind::router, router.value(), port}), port,
        false);
    return made;
  }
  const RouterId router = layout.router(entity);
  made.global = router.value();
  const u32 links = topology.ports(router);
  made.switch_ports = static_cast<u16>(links + (direct ? 1 : 0));
  for (u32 p = 0; p < links; ++p) {
    const Peer peer = topology.peer(router, p);
    if (peer.kind == Peer::Kind::none) {
      made.wires.emplace_back();
      continue;
    }
    const bool node = peer.kind == Peer::Kind::node;
    add(node ? node_class : topology.link_class(router, p), topology.link_rate(router, p), layout.address(peer),
        node ? 0 : peer.port, node);
  }
  if (direct) {
    add(node_class, 1.0, {entity}, links + 1, true);
    add(node_class, 1.0, {entity}, links, false);
  }
  return made;
}

}  // namespace weft::models
