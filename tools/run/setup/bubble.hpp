// Picks the bubble policy for the dimensions and virtual channels of a run.
#pragma once

#include <type_traits>

#include "models/machine/packets/bubble.hpp"
#include "models/routing/router_kind.hpp"
#include "models/topology/grid.hpp"
#include "tools/run/context.hpp"

namespace weft::tools {

/// Routers of 2D and 3D networks with 3 virtual channels, the usual ones, are compiled by themselves, as loops over
/// their ports then have constant bounds: a tenth faster, with the same history.
using Bubble2D = models::SizedBubblePolicy<2, 3>;
using Bubble3D = models::SizedBubblePolicy<3, 3>;

/// Calls run.template operator()<Policy>() with the policy for the network and routers of a run.
template <class Run>
void with_bubble_policy(const Context& context, Run&& run) {
  const std::size_t dimensions = models::grid_geometry(*context.topology).dims.size();
  const bool usual = context.router.virtual_channels == 3;
  if (usual && dimensions == 2) return run.template operator()<Bubble2D>();
  if (usual && dimensions == 3) return run.template operator()<Bubble3D>();
  run.template operator()<models::BubblePolicy>();
}

/// Whether `Policy` is the one for a run.
template <class Policy>
bool is_bubble_policy(const Context& context) {
  if (models::is_plain(*context.topology, context.router)) return false;
  bool same = false;
  with_bubble_policy(context, [&]<class Picked>() { same = std::is_same_v<Picked, Policy>; });
  return same;
}

}  // namespace weft::tools
