// The blocks are laid out as the Network does it, without being allocated.
#include "models/network/memory.hpp"

#include <fmt/format.h>

#include "engine/error.hpp"
#include "models/network/packet.hpp"
#include "models/router/block.hpp"
#include "models/router/bubble.hpp"
#include "models/router/mask_words.hpp"
#include "models/router/multistage.hpp"

namespace weft::models {
namespace {

/// Marks, ids and links of an entity, its events in the wheels, its source: measured.
constexpr u64 bytes_beside_a_block = 200;
template <unsigned Words, class Route>
u64 block_bytes(Shape shape, const RouterSettings& settings, u32 wants, u32 extra_bytes, u32 packet_bytes) {
  shape.channels = shape.ports * settings.virtual_channels;
  shape.inputs = shape.channels + (shape.endpoint ? settings.injection_queues : 0);
  shape.queue_packets = settings.queue_packets;
  shape.injection_capacity = settings.injection_capacity;
  lay_out_outputs<Words>(shape, wants);
  if (packet_bytes == sizeof(Packet)) {
    Block<Words, Route, Packet>::lay_out_inputs(shape, extra_bytes);
  } else {
    Block<Words, Route, MessagePacket>::lay_out_inputs(shape, extra_bytes);
  }
  return shape.bytes;
}

template <unsigned Words>
u64 tree_bytes(const Topology& topology, const RouterSettings& settings, u32 packet_bytes) {
  using Policy = MultistagePolicy<Words>;
  const TreeGeometry& tree = *topology.tree();
  u64 bytes = 0, subtrees = topology.nodes(), tops = 1;
  for (std::size_t level = 0; level < tree.down.size(); ++level) {
    Shape shape;
    shape.ports = tree.down[level] + tree.up[level];
    subtrees /= tree.down[level];
    bytes += subtrees * tops *
             (bytes_beside_a_block +
              block_bytes<Words, typename Policy::Route>(shape, settings, Policy::wants_count(shape), 0, packet_bytes));
    tops *= tree.up[level];
  }
  Shape nic;
  nic.ports = 1;
  nic.endpoint = true;
  const u64 one = block_bytes<Words, typename Policy::Route>(nic, settings, Policy::wants_count(nic), 0, packet_bytes);
  return bytes + topology.nodes() * (bytes_beside_a_block + one);
}

}  // namespace

void check_capacity(const Topology& topology, const RouterSettings& settings) {
  if (topology.cube() != nullptr) {
    static_cast<void>(BubblePolicy(topology, settings));
    return;
  }
  static_cast<void>(MultistagePolicy<1>(topology, settings));
  const u32 channels = most_channels(*topology.tree(), settings.virtual_channels);
  constexpr u32 capacity = 64 * most_mask_words - 1;
  if (channels > capacity) {
    throw ConfigError(
        fmt::format("a switch of this network has {} channels (router.virtual_channels = {}), more than {} (the "
                    "largest switch that can be simulated); use fewer ports or channels",
                    channels, settings.virtual_channels, capacity));
  }
}

u64 network_bytes(const Topology& topology, const RouterSettings& settings, u32 packet_bytes) {
  if (topology.cube() != nullptr) {
    const BubblePolicy policy(topology, settings);
    Shape shape;
    shape.ports = topology.ports(RouterId(0));
    shape.endpoint = true;
    const u64 one = block_bytes<1, BubblePolicy::Route>(shape, settings, BubblePolicy::wants_count(shape),
                                                        policy.extra_bytes(), packet_bytes);
    return topology.routers() * (bytes_beside_a_block + one);
  }
  const u32 channels = most_channels(*topology.tree(), settings.virtual_channels);
  return with_mask_words(channels,
                         [&]<unsigned Words>() { return tree_bytes<Words>(topology, settings, packet_bytes); });
}

u64 graph_bytes(const Topology& topology) {
  // Ours and METIS's copy with its coarser graphs, which take about as much again.
  const u64 ends = 2 * topology.router_links();
  return 4 * (topology.routers() * u64{12} + ends * u64{8});
}

}  // namespace weft::models
