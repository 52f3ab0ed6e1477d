// Each layer is a graph of the dependencies of its routes; a search in it says whether one more route closes a cycle.
#include "models/subnet/engine/longest_first.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <functional>

#include "engine/base/error.hpp"
#include "models/subnet/forwarding.hpp"
#include "models/subnet/routes.hpp"

namespace weft::models {
namespace {

/// Routes times channels at most: half a minute.
constexpr u64 most_work = u64{1} << 32;

struct LayeredRoute {
  u32 from_switch = 0, target = 0;
  u32 links = 0;
};

/// Channels between switches that a route takes; empty if it does not arrive.
void follow_route(const Subnet& subnet, const ForwardingTables& tables, const LayeredRoute& route,
                  std::vector<u32>& path) {
  path.clear();
  const RouteEnd end = for_channels_from_switch(subnet, tables, route.from_switch, route.target,
                                                [&](u32 channel) { path.push_back(channel); });
  if (end == RouteEnd::arrives)
    path.pop_back();  // to the host
  else
    path.clear();
}

/// The dependencies of one layer.
class LayerGraph {
 public:
  explicit LayerGraph(u32 channels) : next_(channels), seen_(channels, 0) {}

  /// Adds those of a route; false, and nothing added, if that closes a cycle.
  bool add(const std::vector<u32>& path) {
    fresh_.clear();
    for (std::size_t k = 0; k + 1 < path.size(); ++k) {
      std::vector<u32>& after = next_[path[k]];
      if (std::ranges::find(after, path[k + 1]) != after.end()) continue;
      after.push_back(path[k + 1]);
      fresh_.push_back(path[k]);
    }
    const bool cycle =
        std::ranges::any_of(fresh_, [this](u32 channel) { return reaches(next_[channel].back(), channel); });
    if (!cycle) return true;
    for (const u32 channel : fresh_) next_[channel].pop_back();
    return false;
  }

 private:
  [[nodiscard]] bool reaches(u32 from, u32 to) {
    ++searches_;
    open_.assign(1, from);
    seen_[from] = searches_;
    while (!open_.empty()) {
      const u32 at = open_.back();
      open_.pop_back();
      if (at == to) return true;
      for (const u32 after : next_[at]) {
        if (seen_[after] == searches_) continue;
        seen_[after] = searches_;
        open_.push_back(after);
      }
    }
    return false;
  }

  std::vector<std::vector<u32>> next_;  ///< [channel]: those that it waits for
  std::vector<u64> seen_;               ///< [channel]: the search that saw it last
  std::vector<u32> fresh_, open_;
  u64 searches_ = 0;
};

}  // namespace

RouteLayers layers_longest_first(const Subnet& subnet, const ForwardingTables& tables) {
  const std::vector<u32> hosts = hosts_of_switches(subnet);
  const u64 sources = static_cast<u64>(hosts.size()) - static_cast<u64>(std::ranges::count(hosts, 0U));
  if (sources * tables.targets() > most_work / std::max(1U, subnet.switch_channels())) {
    throw ConfigError(
        fmt::format("routes of {} switches to {} targets over one-way links are too many to be shared out over virtual "
                    "layers; use a smaller fabric, or a router that computes its routes",
                    sources, tables.targets()));
  }
  std::vector<LayeredRoute> routes;
  std::vector<u32> path;
  for (u32 target = 0; target < tables.targets(); ++target) {
    for (u32 s = 0; s < subnet.switches(); ++s) {
      if (hosts[s] == 0) continue;
      follow_route(subnet, tables, {s, target}, path);
      if (path.size() > 1) routes.push_back({s, target, static_cast<u32>(path.size())});
    }
  }
  std::ranges::stable_sort(routes, std::greater<>{}, &LayeredRoute::links);
  RouteLayers layers(subnet.switches(), tables.targets());
  std::vector<LayerGraph> graphs;
  for (const LayeredRoute& route : routes) {
    follow_route(subnet, tables, route, path);
    auto layer = std::ranges::find_if(graphs, [&path](LayerGraph& graph) { return graph.add(path); });
    if (layer == graphs.end()) {
      layer = graphs.emplace(layer, subnet.switch_channels());
      if (graphs.size() > 255) throw ConfigError("the routes need more than 255 virtual layers; use others");
      WEFT_ASSERT(layer->add(path));
    }
    layers.set_layer(route.from_switch, route.target, static_cast<u32>(layer - graphs.begin()));
  }
  layers.used = std::max<u32>(1, static_cast<u32>(graphs.size()));
  return layers;
}

}  // namespace weft::models
