// Set-up of the bubble policy: masks of channels.
#include "models/router/bubble.hpp"

#include <fmt/format.h>

#include "engine/error.hpp"

namespace weft::models {

template <u32 Dimensions, u32 Channels>
SizedBubblePolicy<Dimensions, Channels>::SizedBubblePolicy(const Topology& topology, const RouterSettings& settings)
    : settings_(settings) {
  const CubeGeometry* const cube = topology.cube();
  WEFT_ASSERT(cube != nullptr);
  dimensions_ = static_cast<u32>(cube->dims.size());
  WEFT_ASSERT((Dimensions == 0 || Dimensions == dimensions_) &&
              (Channels == 0 || Channels == settings.virtual_channels));
  const u32 channels = settings.virtual_channels, outputs = 2 * dimensions_ * channels;
  if (outputs + 1 > engine::BitSet<words>::capacity ||
      outputs + settings.injection_queues > engine::BitSet<words>::capacity) {
    throw ConfigError(
        fmt::format("router.virtual_channels = {} is too many for {} dimensions (a cube router holds at most 63 "
                    "channels and injection "
                    "queues); use at most {}",
                    channels, dimensions_, (63 - settings.injection_queues) / (2 * dimensions_)));
  }
  addresses_ = CubeAddresses(*cube);
  escape_always_ = settings.bubble_request == BubbleRequest::oblivious ||
                   settings.bubble_request == BubbleRequest::smart || settings.local_buffer_packets > 0;
  if (settings.bubble_request == BubbleRequest::shortest && settings.local_buffer_packets == 0 && keys_fit(settings)) {
    choices_ = std::make_unique<ShortestChoices<Dimensions, Channels>>(dimensions_, settings);
  }
  for (u32 port = 0; port < 2 * dimensions_; ++port) {
    const u64 all = (u64{1} << channels) - 1;
    const bool oblivious = settings.bubble_request == BubbleRequest::oblivious;
    adaptive_[port] = oblivious ? 0 : (all & ~u64{1}) << (port * channels);
    escape_[port] = (oblivious ? all : 1) << (port * channels);
    all_escape_ |= escape_[port];
  }
}

template <u32 Dimensions, u32 Channels>
Peer SizedBubblePolicy<Dimensions, Channels>::wanted(const Route& route, u32 router, const Topology& topology,
                                                     const ShapeType& /*shape*/) const {
  if (route.directions == 0) return {Peer::Kind::node, router, 0};
  const u32 output = escape_output(route);
  Peer peer = topology.peer(RouterId(router), output / virtual_channels());
  peer.port = output;
  return peer;
}

template class SizedBubblePolicy<0, 0>;
template class SizedBubblePolicy<2, 3>;
template class SizedBubblePolicy<3, 3>;

}  // namespace weft::models
