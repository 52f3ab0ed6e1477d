// Who is told what.
#include "models/machine/cells/notices.hpp"

#include <algorithm>

namespace weft::models::cells {

Notices::Notices(const Topology& topology, std::vector<const Routing*> routings, u32 step)
    : routings_(std::move(routings)), step_(step) {
  std::erase_if(routings_, [](const Routing* routing) { return !routing->listens(); });
  far_ports_ = topology.most_ports();
}

void Notices::add(const Topology& topology, RouterId router, u32 ports) {
  if (!used()) return;
  for (u32 port = 0; port < ports; ++port) {
    const u32 links = topology.ports(router);
    for (u32 over = 0; over < links && port < links; ++over) {
      if (topology.peer(router, over).kind != Peer::Kind::router) continue;
      const bool wanted =
          std::ranges::any_of(routings_, [&](const Routing* routing) { return routing->tells(router, port, over); });
      if (wanted) listeners_.push_back(static_cast<u16>(over));
    }
    first_listener_.push_back(static_cast<u32>(listeners_.size()));
  }
  said_.resize(said_.size() + ports);
  first_port_.push_back(static_cast<u32>(said_.size()));
  heard_.resize(heard_.size() + std::size_t{ports} * far_ports_);
  first_heard_.push_back(heard_.size());
}

}  // namespace weft::models::cells
