// Each rank searches for itself: the answer is a function of the config, and small networks take no time.
#include "tools/simulate/deadlock_check.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "engine/error.hpp"
#include "engine/shown.hpp"
#include "models/router/channel_search.hpp"
#include "models/router/router_kind.hpp"

namespace weft::tools {
namespace {

using models::ChannelFindings;

/// Steps of a search with "auto", 20 to 50 ns each.
constexpr u64 most_steps_unasked = 800'000;
/// Lots of each pair of nodes with "auto" and "full".
constexpr u32 lots_unasked = 14, lots_asked = 64;

/// Whether the routes of this run can be asked.
bool has_routes(const Context& context) {
  const models::RouterKind& kind = models::router_kind(context.router.kind);
  if (kind.searched_routes) return true;
  return kind.routing && !context.router.faults && models::is_plain(*context.topology, context.router) &&
         !models::keeps_bubbles(kind, context.router.mode);
}

models::SearchedRoutes routes_of(const Context& context) {
  const models::RouterKind& kind = models::router_kind(context.router.kind);
  if (kind.searched_routes) return kind.searched_routes(*context.topology, context.router);
  return {kind.routing(*context.topology, context.router), models::TakesWay::any, "router.kind"};
}

}  // namespace

void check_deadlock(const Context& context) {
  const std::string check = context.config.text("router.deadlock_check");
  const bool full = check == "full";
  if (check == "off" || !has_routes(context)) return;
  if (!full && context.config.flag("router.unsafe")) return;
  const models::Topology& topology = *context.topology;
  ChannelFindings found{.answer = ChannelFindings::Answer::too_large};
  std::string key;
  if (full || models::least_steps(topology) <= most_steps_unasked) {
    const models::SearchedRoutes routes = routes_of(context);
    key = routes.key;
    models::ChannelSearch search{.virtual_channels = context.router.virtual_channels, .takes = routes.takes};
    search.ignores_conditions = static_cast<bool>(models::router_kind(context.router.kind).searched_routes);
    search.most_lots = full ? lots_asked : lots_unasked;
    if (!full) search.most_steps = most_steps_unasked;
    found = models::search_channels(topology, *routes.routing, search);
    for (const auto& routing : routes.of_other_classes) {
      if (found.answer == ChannelFindings::Answer::free) found = models::search_channels(topology, *routing, search);
    }
  }
  switch (found.answer) {
    case ChannelFindings::Answer::free:
      spdlog::info("no packets can wait for one another in a circle ({} steps)", found.steps);
      return;
    case ChannelFindings::Answer::too_large:
      spdlog::info("the network is too large to look for deadlock at set-up (router.deadlock_check = \"full\" does)");
      return;
    case ChannelFindings::Answer::conditions:
      spdlog::info("deadlock is not looked for at set-up (room is kept in queues)");
      return;
    case ChannelFindings::Answer::circle:
      break;
  }
  const std::string routes = key == "router.kind" ? context.router.kind : context.router.own.text("routing");
  throw ConfigError(
      fmt::format(
          "{}: {} = \"{}\" may deadlock: packets on its routes can wait for one another in a circle of {} channels; "
          "use more router.virtual_channels, other routes, tables or modes, or router.deadlock_check = \"off\" to "
          "see it happen",
          context.config.place(key), key, shown(routes), found.circle.size()),
      models::describe_circle(topology, found.circle));
}

}  // namespace weft::tools
