// Towards one switch, the links that an engine's rules allow from every other: engines differ in these and in how they
// choose.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "models/subnet/engine/routing_engine.hpp"
#include "models/subnet/switch_graph.hpp"

namespace weft::models {

/// All allowed paths to one switch. Each allowed link leads to a switch whose own path is one link shorter, so whatever
/// is chosen at each switch arrives.
struct Paths {
  static constexpr u32 none = SwitchGraph::unreachable;

  std::vector<u32> length;  ///< links from a switch to the destination, [switch]; none: no path
  std::vector<u32> order;   ///< switches with a path, nearest first, without the destination
  std::vector<u32> first;   ///< where the links of order[k] begin in `links`; and one behind the last
  std::vector<u16> links;   ///< indices into graph.hops(order[k]), in the graph's order

  [[nodiscard]] std::span<const u16> of(u32 k) const { return {links.data() + first[k], links.data() + first[k + 1]}; }
};

/// Which paths there are: fills `paths` for a destination switch.
using FindPaths = std::function<void(const SwitchGraph& graph, u32 destination, Paths& paths)>;

/// Shortest paths.
void shortest_paths(const SwitchGraph& graph, u32 destination, Paths& paths);

/// Paths that first go up, then down: `above[s]` orders the switches, smaller is higher; links between equals are left
/// out. A switch from which one can go down to the destination all the way does so.
void up_down_paths(const SwitchGraph& graph, std::span<const u64> above, u32 destination, Paths& paths);

/// Chooses for one target: chosen[k] is the index of a link among those of order[k].
class ChooseLinks {
 public:
  virtual ~ChooseLinks() = default;
  virtual void choose(const Paths& paths, u32 target, std::span<u16> chosen) = 0;
};

/// Fills tables for all targets and switches: destinations switch by switch, by the order of their first hosts, or by
/// LID.
[[nodiscard]] FabricRouting fill_tables(const Subnet& subnet, const SwitchGraph& graph, const RoutingOptions& options,
                                        const FindPaths& find, ChooseLinks& choice);

/// How many routes of all hosts to all targets so far go over each link between switches, and choices that even that
/// out.
class LinkLoads {
 public:
  /// `count_targets`: each switch counts targets for each of its links, whether it is on a route to them or not.
  explicit LinkLoads(const SwitchGraph& graph, bool count_targets = false)
      : graph_(graph), count_targets_(count_targets), load_(graph.all_hops(), 0), flow_(graph.switches(), 0) {}
  [[nodiscard]] u64 load(u32 s, u16 link) const { return load_[graph_.first_hop(s) + link]; }
  /// The least loaded of them, the first of equals.
  [[nodiscard]] u16 least(u32 s, std::span<const u16> links) const;
  /// Walks from the farthest switch to the nearest and adds to the link pick(k) of order[k] the routes that come to it;
  /// a pick sees what was added before.
  template <class Pick>
  void add_routes(const Paths& paths, Pick&& pick) {
    for (const u32 s : paths.order) flow_[s] = graph_.hosts(s).size();
    for (u32 k = static_cast<u32>(paths.order.size()); k-- > 0;) {
      const u32 s = paths.order[k];
      const u16 link = pick(k);
      load_[graph_.first_hop(s) + link] += count_targets_ ? 1 : flow_[s];
      flow_[graph_.hops(s)[link].to] += flow_[s];
    }
  }

 private:
  const SwitchGraph& graph_;
  bool count_targets_;
  std::vector<u64> load_;  ///< [hop]
  std::vector<u64> flow_;  ///< [switch], routes of one target
};

/// The least loaded link, at switches whose path is longest first. By LID, loads are what each switch sees: targets,
/// not routes.
class BalancedChoice final : public ChooseLinks {
 public:
  BalancedChoice(const SwitchGraph& graph, const RoutingOptions& options) : loads_(graph, options.by_lid) {}
  void choose(const Paths& paths, u32 target, std::span<u16> chosen) override;

 private:
  LinkLoads loads_;
};

}  // namespace weft::models
