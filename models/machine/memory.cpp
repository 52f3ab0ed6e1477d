// Each kind of router reckons for itself; plain ones share a policy.
#include "models/machine/memory.hpp"

#include "models/machine/packets/block_bytes.hpp"
#include "models/machine/packets/mask_words.hpp"
#include "models/machine/packets/plain.hpp"
#include "models/routing/router_kind.hpp"

namespace weft::models {

u64 network_bytes(const Topology& topology, const RouterSettings& settings, u32 packet_bytes) {
  if (!is_plain(topology, settings)) return router_kind(settings.kind).bytes(topology, settings, packet_bytes);
  return with_mask_words<PlainWords>(most_channels(topology, settings.virtual_channels), [&]<unsigned Words>() {
    return network_bytes_of(PlainPolicy<Words>(topology, settings), topology, settings, packet_bytes);
  });
}

void check_capacity(const Topology& topology, const RouterSettings& settings) {
  static_cast<void>(network_bytes(topology, settings, sizeof(Packet)));
}

u64 graph_bytes(const Topology& topology) {
  // Ours and METIS's copy with its coarser graphs, which take about as much again.
  const u64 ends = 2 * topology.router_links();
  return 4 * (topology.routers() * u64{12} + ends * u64{8});
}

}  // namespace weft::models
