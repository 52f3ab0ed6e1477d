// Set-up of the bubble policy: bit fields for coordinates, channel masks.
#include "models/router/bubble.hpp"

#include <bit>

#include "engine/error.hpp"

namespace weft::models {

BubblePolicy::BubblePolicy(const Topology& topology, const RouterSettings& settings) : settings_(settings) {
  const CubeGeometry* const cube = topology.cube();
  WEFT_ASSERT(cube != nullptr);
  dims_ = cube->dims;
  dimensions_ = static_cast<u32>(dims_.size());
  wraps_ = cube->wraps;
  const u32 channels = settings.virtual_channels, outputs = 2 * dimensions_ * channels;
  if (outputs + 1 > engine::BitSet<words>::capacity ||
      outputs + settings.injection_queues > engine::BitSet<words>::capacity) {
    throw ConfigError("router.virtual_channels = " + std::to_string(channels) + " is too many for " +
                      std::to_string(dimensions_) +
                      " dimensions (a cube router holds at most 63 channels and injection queues); use at most " +
                      std::to_string((63 - settings.injection_queues) / (2 * dimensions_)));
  }
  u32 shift = 0;
  for (u32 d = 0; d < dimensions_; ++d) {
    const u32 bits = static_cast<u32>(std::bit_width(dims_[d] - 1));
    shift_[d] = bits == 0 ? 0 : shift;  // a field of 0 bits could sit at 32
    mask_[d] = static_cast<u32>((u64{1} << bits) - 1);
    size_[d] = dims_[d];
    shift += bits;
    if (shift > Packet::address_bits) {
      throw ConfigError("topology.dims need more than " + std::to_string(Packet::address_bits) +
                        " bits of coordinates (each dimension is rounded up to a power of two); use fewer nodes or "
                        "dimensions that are powers of two");
    }
  }
  consumption_ = outputs;
  surveys_ =
      settings.bubble_request == BubbleRequest::shortest && settings.local_buffer_packets == 0 && keys_fit(settings);
  escape_always_ = settings.bubble_request == BubbleRequest::oblivious ||
                   settings.bubble_request == BubbleRequest::smart || settings.local_buffer_packets > 0;
  if (surveys_) cells_.lay_out(2 * dimensions_, channels);
  for (u32 port = 0; port < 2 * dimensions_; ++port) {
    const u64 all = (u64{1} << channels) - 1;
    const bool oblivious = settings.bubble_request == BubbleRequest::oblivious;
    adaptive_[port] = oblivious ? 0 : (all & ~u64{1}) << (port * channels);
    all_adaptive_ |= adaptive_[port];
    escape_[port] = (oblivious ? all : 1) << (port * channels);
    all_escape_ |= escape_[port];
  }
}

u32 BubblePolicy::encode(NodeId node) const {
  u32 rest = node.value(), address = 0;
  for (u32 d = 0; d < dimensions_; ++d) {
    address |= (rest % dims_[d]) << shift_[d];
    rest /= dims_[d];
  }
  return address;
}

u32 BubblePolicy::decode(u32 address) const {
  u32 node = 0;
  for (u32 d = dimensions_; d-- > 0;) {
    const u32 coordinate = (address >> shift_[d]) & mask_[d];
    node = node * dims_[d] + coordinate;
  }
  return node;
}

Peer BubblePolicy::wanted(const Route& route, u32 router, const Topology& topology, const Shape& /*shape*/) const {
  if (route.directions == 0) return {Peer::Kind::node, router, 0};
  const u32 output = escape_output(route);
  Peer peer = topology.peer(RouterId(router), output / settings_.virtual_channels);
  peer.port = output;
  return peer;
}

u32 BubblePolicy::distance(u32 from, u32 to) const {
  u32 sum = 0;
  for (u32 d = 0; d < dimensions_; ++d) {
    const u32 a = (from >> shift_[d]) & mask_[d], b = (to >> shift_[d]) & mask_[d];
    const u32 gap = a > b ? a - b : b - a;
    sum += wraps_ && size_[d] - gap < gap ? size_[d] - gap : gap;
  }
  return sum;
}

u32 BubblePolicy::longest_direction(const Packet& packet, u32 place) const {
  u32 best = 0, most = 0;
  for_profitable(packet, place, [&](u32 direction) {
    const u32 d = direction / 2;
    const u32 to = (packet.to >> shift_[d]) & mask_[d], here = (place >> shift_[d]) & mask_[d];
    const u32 gap = to > here ? to - here : here - to;
    const u32 hops = wraps_ && size_[d] - gap < gap ? size_[d] - gap : gap;
    if (hops > most) {
      most = hops;
      best = direction;
    }
  });
  return best;
}

}  // namespace weft::models
