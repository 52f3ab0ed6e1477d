// Looking engines up by name, and what is left unrouted.
#include "models/subnet/engine/routing_engine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/stop_look.hpp"

namespace weft::models {

FabricRouting route_subnet(const Subnet& subnet, const std::string& engine, const RoutingOptions& options) {
  const RoutingEngine* const known = RoutingEngineRegistry::instance().find(engine);
  if (known == nullptr) {
    throw ConfigError(fmt::format("there is no routing engine '{}'; take one of {}", shown(engine),
                                  fmt::join(RoutingEngineRegistry::instance().names(), ", ")));
  }
  return known->route(subnet, options);
}

Unrouted unrouted_pairs(const Subnet& subnet, const ForwardingTables& tables) {
  std::vector<u32> first_host(subnet.switches(), subnet.hosts()), hosts_at(subnet.switches(), 0);
  for (u32 h = 0; h < subnet.hosts(); ++h) {
    const Peer at = subnet.peer_of_host(h);
    if (at.kind == Peer::Kind::router && hosts_at[at.id]++ == 0) first_host[at.id] = h;
  }
  Unrouted unrouted;
  for (u32 to = 0; to < subnet.hosts(); ++to) {
    engine::look_for_stop();
    if (subnet.peer_of_host(to).kind != Peer::Kind::router) continue;
    const u8* const row = tables.row(tables.first_target(to));
    for (u32 s = 0; s < subnet.switches(); ++s) {
      if (row[s] != ForwardingTables::none || hosts_at[s] == 0) continue;
      if (unrouted.pairs == 0) unrouted.from = first_host[s], unrouted.to = to;
      unrouted.pairs += hosts_at[s];
    }
  }
  return unrouted;
}

}  // namespace weft::models
