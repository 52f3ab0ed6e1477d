// The threshold of global congestion control, as a number or as a share of what the network holds.
#include "tools/run/setup/gcc_threshold.hpp"

#include <cmath>
#include <fmt/format.h>

#include "engine/base/error.hpp"

namespace weft::tools {

u64 packets_of_all_queues(const models::Topology& topology, const models::RouterSettings& router) {
  using models::Peer;
  u64 ports = 0;
  for (u32 r = 0; r < topology.routers(); ++r) {
    for (u32 p = 0; p < topology.ports(RouterId{r}); ++p) {
      const Peer peer = topology.peer(RouterId{r}, p);
      const bool comes_in = peer.kind == Peer::Kind::node ||
                            (peer.kind == Peer::Kind::router && topology.carries(RouterId{peer.id}, peer.port));
      ports += comes_in ? 1 : 0;
    }
  }
  return ports * router.link_channels() * router.queue_packets;
}

u64 gcc_threshold(const Config& config, const models::Topology& topology, const models::RouterSettings& router) {
  if (config.text("congestion.kind") == "none") return 0;
  const double fraction = config.real("congestion.gcc_fraction");
  if (fraction == 0) return static_cast<u64>(config.integer("congestion.gcc_packets"));
  const u64 all = packets_of_all_queues(topology, router);
  const u64 packets = static_cast<u64>(std::floor(fraction * static_cast<double>(all)));
  if (packets == 0) {
    throw ConfigError(
        fmt::format("congestion.gcc_fraction = {} is less than a packet (the queues of all routers hold "
                    "{}); use at least {:.3g}",
                    fraction, all, 1.01 / static_cast<double>(all)));
  }
  return packets;
}

}  // namespace weft::tools
