// Set-up of plain routers, and their answers for reports.
#include "models/router/plain.hpp"

#include <fmt/format.h>

#include "engine/error.hpp"

namespace weft::models {

template <unsigned Words>
PlainPolicy<Words>::PlainPolicy(const Topology& topology, const RouterSettings& settings)
    : topology_(topology),
      settings_(settings),
      routing_(router_kind(settings.kind).routing(topology, settings)),
      channels_(settings.virtual_channels),
      by_direction_(topology.opposite_ports()),
      node_links_(!topology.direct()),
      tries_held_(routing_->tries_held()) {
  if (topology.nodes() > u32{1} << Packet::address_bits) {
    throw ConfigError(fmt::format("a network of {} nodes is too large: packets can address {}; use fewer nodes",
                                  topology.nodes(), u32{1} << Packet::address_bits));
  }
}

template class PlainPolicy<1>;
template class PlainPolicy<4>;

}  // namespace weft::models
