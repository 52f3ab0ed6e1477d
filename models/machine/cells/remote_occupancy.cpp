// Which ports get updates of which outputs.
#include "models/machine/cells/remote_occupancy.hpp"

#include <algorithm>

namespace weft::models::cells {

RemoteOccupancy::RemoteOccupancy(const Topology& topology, std::vector<const OccupancyChoice*> routings, u32 step)
    : routings_(std::move(routings)), step_(step) {
  std::erase_if(routings_, [](const OccupancyChoice* routing) { return !routing->uses_remote_occupancy(); });
  far_ports_ = topology.most_ports();
}

void RemoteOccupancy::add(const Topology& topology, RouterId router, u32 ports) {
  if (!used()) return;
  for (u32 port = 0; port < ports; ++port) {
    const u32 links = topology.ports(router);
    for (u32 over = 0; over < links && port < links; ++over) {
      if (topology.peer(router, over).kind != Peer::Kind::router) continue;
      const bool wanted = std::ranges::any_of(
          routings_, [&](const OccupancyChoice* routing) { return routing->notifies(router, port, over); });
      if (wanted) receivers_.push_back(static_cast<u16>(over));
    }
    first_receiver_.push_back(static_cast<u32>(receivers_.size()));
  }
  sent_.resize(sent_.size() + ports);
  first_port_.push_back(static_cast<u32>(sent_.size()));
  received_.resize(received_.size() + std::size_t{ports} * far_ports_);
  first_received_.push_back(received_.size());
}

}  // namespace weft::models::cells
