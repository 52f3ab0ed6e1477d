// Adds up what a packet may meet on its way.
#include "models/routing/longest_idle_time.hpp"

#include <algorithm>

#include "models/faults/live_faults.hpp"
#include "models/routing/router_kind.hpp"
#include "models/routing/source_routes.hpp"

namespace weft::models {
namespace {

/// Links of the longest route. Routes through another router are two shortest ones; others, such as those of tables,
/// may come by every router, and those of a file may have any length that it may say.
u64 most_links(const Topology& topology, const RouterSettings& settings) {
  u64 links = u64{2} * topology.diameter() + 2;
  const RouterKind& kind = router_kind(settings.kind);
  if (!kind.modes.empty() && !mode_row(kind, settings.mode).shortest_paths)
    links = std::max<u64>(links, std::min(topology.routers(), SourceRoutes::most_hops));
  if (settings.own.has("routes_path") && !settings.own.text("routes_path").empty())
    links = std::max<u64>(links, SourceRoutes::most_hops);
  return links;
}

}  // namespace

Tick longest_idle_time(const Topology& topology, const RouterSettings& settings) {
  const RouterKind& kind = router_kind(settings.kind);
  const IdleAllowance allowed = kind.idle ? kind.idle(topology, settings) : IdleAllowance{};
  const Tick at_full_rate = std::max(settings.longest_packet_ticks(), allowed.on_link);
  const Tick packet = settings.live_faults == nullptr ? at_full_rate : settings.live_faults->longest(at_full_rate);
  const Tick hop = settings.longest_link_ticks() + settings.switch_ticks + allowed.at_router + packet;
  // Packets to what has failed leave their injection queue one after the other.
  const Tick drops = settings.faults ? settings.injection_capacity * packet : 0;
  return allowed.journeys * most_links(topology, settings) * hop + allowed.at_source + drops;
}

}  // namespace weft::models
