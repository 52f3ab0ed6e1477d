// Each rank searches for itself: the answer is a function of the config, and small networks take no time.
#include "tools/run/setup/deadlock_check.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"
#include "models/routing/channel_search.hpp"
#include "models/routing/router_kind.hpp"
#include "models/routing/routing_of.hpp"
#include "tools/run/collect/collect.hpp"
#include "tools/run/config/given.hpp"

namespace weft::tools {
namespace {

using models::ChannelFindings;

/// Steps of a search with "auto", 20 to 50 ns each.
constexpr u64 most_steps_unasked = 800'000;
/// Random draws of each pair of nodes with "auto" and "full", of what cannot be listed.
constexpr u32 draws_unasked = 14, draws_asked = 64;

/// Whether the routes of a network can be asked.
bool has_routes(const models::Topology& topology, const models::RouterSettings& router) {
  const models::RouterKind& kind = models::router_kind(router.kind);
  if (kind.searched_routes) return true;
  if (router.faults && !kind.keeps_routes_with_faults) return false;
  return kind.routing && models::is_plain(topology, router) && !models::keeps_bubbles(kind, router.mode);
}

/// Whether packets hold the channels behind them, as those do that say when these are free again.
bool has_worms(const models::RouterSettings& router) { return router.own.has("vc_release"); }

/// Why the routes of this run cannot be asked.
std::string why_not_asked(const Context& context) {
  const models::RouterKind& kind = models::router_kind(context.router.kind);
  if (context.router.faults) return "the network has failed links, routers or nodes";
  if (models::keeps_bubbles(kind, context.router.mode))
    return fmt::format("routing = \"{}\" keeps free space in rings, which no search of routes can judge",
                       context.router.mode);
  return fmt::format("routers of kind \"{}\" do not say beforehand where packets go", context.router.kind);
}

/// What stands for all that a search could not try.
std::string samples(const ChannelFindings& found, u32 draws) {
  std::string text;
  if (found.sampled_pairs > 0) {
    text =
        fmt::format("{} random draws for each of {} of {} pairs of nodes (the routing draws from more than it lists)",
                    draws, found.sampled_pairs, found.pairs);
  }
  if (found.sampled_decisions) {
    text +=
        fmt::format("{}{} random occupancies at each router that decides by them", text.empty() ? "" : ", and ", draws);
  }
  return text;
}

/// Channels that were asked for and that nobody takes cost buffers and help no one; draws once for a pair of nodes
/// change nothing where there are none. `found`: of all routes.
void warn_of_idle_channels(Context& context, const ChannelFindings& found) {
  const std::string key = "router.virtual_channels";
  std::vector<u32> idle;
  for (u32 channel = 0; channel < context.router.virtual_channels; ++channel) {
    if ((found.channels >> channel & 1) == 0) idle.push_back(channel);
  }
  if (idle.empty() || found.channels == 0 || !given_otherwise(context.config, key)) return;
  const bool by_levels = context.router.own.has("sl_by");
  const std::string routes =
      context.router.own.has("routing") ? context.router.own.text("routing") : context.router.kind;
  warn(context, fmt::format("{} of {} = {} {} idle: no packet takes VC {}, {}", idle.size(), key,
                            context.router.virtual_channels, idle.size() == 1 ? "is" : "are", fmt::join(idle, ", "),
                            by_levels ? "as no service level in use has it (router.sl_shares, router.sl2vl)"
                                      : fmt::format("on the routes of {} in this network", routes)));
}

void warn_of_idle_draws(Context& context, const ChannelFindings& found) {
  const std::string key = "router.route_per";
  if (!context.router.own.has("route_per") || !given_otherwise(context.config, key) || found.most_beginnings != 1)
    return;
  warn(context, fmt::format("{} = \"{}\" has no effect: the routes of {} draw nothing", key, context.config.text(key),
                            context.router.own.text("routing")));
}

}  // namespace

std::optional<models::SearchedRoutes> routes_in_use(const models::Topology& topology,
                                                    const models::RouterSettings& router) {
  if (!has_routes(topology, router)) return {};
  const models::RouterKind& kind = models::router_kind(router.kind);
  if (kind.searched_routes) return kind.searched_routes(topology, router);
  return models::SearchedRoutes{models::routing_of(kind, topology, router), models::TakesCandidate::any, "router.kind"};
}

u32 check_deadlock(Context& context) {
  const u32 all = context.router.virtual_channels;
  const std::string check = context.config.text("deadlock.check");
  const bool full = check == "full";
  context.result.deadlock_search = "off";
  if (check == "off") return all;
  if (!has_routes(*context.topology, context.router)) {
    context.result.deadlock_search = fmt::format("not looked for: {}", why_not_asked(context));
    if (full) warn(context, "deadlock.check = \"full\" has looked for nothing (" + why_not_asked(context) + ")");
    return all;
  }
  if (!full && context.config.flag("deadlock.unsafe")) return all;
  const models::Topology& topology = context.topology->plane();  // all are alike
  ChannelFindings found;
  found.answer = ChannelFindings::Answer::too_large;
  std::string key;
  if (full || models::least_steps(topology) <= most_steps_unasked) {
    const models::SearchedRoutes routes = *routes_in_use(*context.topology, context.router);
    key = routes.key;
    models::ChannelSearch search{.virtual_channels = context.router.virtual_channels, .takes = routes.takes};
    search.ignores_conditions = static_cast<bool>(models::router_kind(context.router.kind).searched_routes);
    search.holds_channels = has_worms(context.router);
    if (full) {
      if (context.progress != nullptr) {
        context.progress->start("deadlock search", topology.nodes(), "nodes");
        search.progress = [&context](u32 done, u32) { context.progress->update(done, 0, ""); };
      }
      search.most_listed = ~u32{0};
      search.most_draws = search.most_in_vain = draws_asked;
    } else {
      search.most_steps = most_steps_unasked;
      search.most_draws = search.most_listed = draws_unasked;
    }
    found = models::search_channels(topology, *routes.routing, search);
    for (const auto& routing : routes.of_other_classes) {
      if (found.answer != ChannelFindings::Answer::free) break;
      const ChannelFindings before = found;
      found = models::search_channels(topology, *routing, search);
      found.steps += before.steps;
      found.channels |= before.channels;
      found.most_beginnings = std::max(found.most_beginnings, before.most_beginnings);
      found.least_channels = std::min(found.least_channels, before.least_channels);
      found.pairs += before.pairs;
      found.sampled_pairs += before.sampled_pairs;
      found.sampled_decisions |= before.sampled_decisions;
    }
    if (full && context.progress != nullptr) context.progress->finish();
  }
  switch (found.answer) {
    case ChannelFindings::Answer::free:
      warn_of_idle_channels(context, found);
      warn_of_idle_draws(context, found);
      context.result.deadlock_search =
          found.tried_all() ? "all routes" : samples(found, full ? draws_asked : draws_unasked);
      if (found.tried_all()) {
        spdlog::info("no packets can wait for one another in a cycle (all routes tried, {} steps)", found.steps);
      } else if (!full) {
        spdlog::info("no packets of those tried can wait for one another in a cycle ({} steps; {})", found.steps,
                     samples(found, draws_unasked));
      } else {
        warn(context, fmt::format("deadlock.check = \"full\" has found no cycle of waiting packets, but not tried all "
                                  "routes: {}",
                                  samples(found, draws_asked)));
      }
      return std::min(all, found.least_channels);
    case ChannelFindings::Answer::too_large:
      if (found.destinations > 0) {
        context.result.deadlock_search = fmt::format(
            "not all routes: those to {} of {} nodes were tried, which took {} steps (deadlock.check = "
            "\"full\" tries all)",
            found.destinations, found.all_destinations, found.steps);
      } else {
        context.result.deadlock_search = "not looked for: the network is too large (deadlock.check = \"full\" does)";
      }
      spdlog::info("deadlock: {}", context.result.deadlock_search);
      return std::min(all, found.least_channels);
    case ChannelFindings::Answer::conditions:
      context.result.deadlock_search =
          "not looked for: free space is kept in queues, which no search of routes can judge";
      if (full) {
        warn(context,
             "deadlock.check = \"full\" has not looked for deadlock (channels are open only where queues "
             "keep more free space than a packet needs, which it cannot judge)");
      } else {
        spdlog::info("deadlock is not looked for at set-up (free space is kept in queues)");
      }
      return all;
    case ChannelFindings::Answer::cycle:
      break;
  }
  const std::string routes = key == "router.kind" ? context.router.kind : context.router.own.text("routing");
  const bool taken_early = has_worms(context.router) && all > 1 && context.router.own.text("vc_release") == "tail";
  throw ConfigError(
      fmt::format(
          "{}: {} = \"{}\" may deadlock: packets on its routes can wait for one another in a cycle of {} channels; "
          "use {}more router.virtual_channels, other routes, tables or modes, or deadlock.check = \"off\" to "
          "see it happen",
          context.config.place(key), key, shown(routes), found.cycle.size(),
          taken_early ? "router.vc_release = \"credit\" (which escape channels of worms need), " : ""),
      models::describe_cycle(topology, found.cycle));
}

}  // namespace weft::tools
