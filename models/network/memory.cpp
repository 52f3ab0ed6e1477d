// The blocks are laid out as the Network does it, without being allocated.
#include "models/network/memory.hpp"

#include <fmt/format.h>

#include "engine/error.hpp"
#include "models/network/packet.hpp"
#include "models/router/block.hpp"
#include "models/router/bubble.hpp"
#include "models/router/multistage.hpp"

namespace weft::models {
namespace {

/// Marks, ids and links of an entity, its events in the wheels, its source: measured.
constexpr u64 bytes_beside_a_block = 200;
/// Channels and injection queues of the largest switch whose masks have so many words.
constexpr u32 capacity(u32 words) { return 64 * words - 1; }
constexpr u32 most_words = 32;  // as in tools/simulate/multistage.hpp

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

u32 most_channels(const TreeGeometry& tree, const RouterSettings& settings) {
  u32 ports = 1;
  for (std::size_t level = 0; level < tree.down.size(); ++level)
    ports = std::max(ports, tree.down[level] + tree.up[level]);
  return std::max(ports * settings.virtual_channels, settings.virtual_channels + settings.injection_queues);
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
  const u32 channels = most_channels(*topology.tree(), settings);
  if (channels > capacity(most_words)) {
    throw ConfigError(
        fmt::format("a switch of this network has {} channels (router.virtual_channels = {}), more than {} (the "
                    "largest switch that can be simulated); use fewer ports or channels",
                    channels, settings.virtual_channels, capacity(most_words)));
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
  const u32 channels = most_channels(*topology.tree(), settings);
  if (channels <= capacity(1)) return tree_bytes<1>(topology, settings, packet_bytes);
  if (channels <= capacity(4)) return tree_bytes<4>(topology, settings, packet_bytes);
  return tree_bytes<most_words>(topology, settings, packet_bytes);
}

u64 graph_bytes(const Topology& topology) {
  // Ours and METIS's copy with its coarser graphs, which take about as much again.
  const u64 ends = 2 * topology.router_links();
  return 4 * (topology.routers() * u64{12} + ends * u64{8});
}

}  // namespace weft::models
