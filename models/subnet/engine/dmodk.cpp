// D-mod-k routing for fat trees (Zahavi, Johnson, Kerbyson, Lang: Optimized InfiniBand fat-tree routing for shift
// all-to-all communication patterns, 2010): the number of the destination, digit by digit, says which port leads up.
#include <algorithm>
#include <fmt/format.h>
#include <numeric>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"
#include "models/subnet/engine/levels.hpp"
#include "models/subnet/engine/paths.hpp"

namespace weft::models {
namespace {

/// Throws what is wrong with a fabric that is no fat tree.
[[noreturn]] void refuse(const Subnet& subnet, const SwitchGraph& graph) {
  if (graph.one_way())
    throw ConfigError("the fabric is no fat tree (it has one-way links); take --engine dor, minhop or sssp");
  const std::string advice = "take --engine updn, minhop or sssp, which route any fabric";
  std::vector<u32> with_hosts;
  for (u32 s = 0; s < graph.switches(); ++s) {
    if (!graph.hosts(s).empty()) with_hosts.push_back(s);
  }
  const std::vector<u32> level = graph.distances(with_hosts);
  for (u32 s = 0; s < graph.switches(); ++s) {
    if (level[s] == SwitchGraph::unreachable) {
      throw ConfigError(fmt::format("the fabric is no fat tree (no host reaches switch {}); {}",
                                    shown(subnet.switch_label(s)), advice));
    }
    for (const SwitchHop& hop : graph.hops(s)) {
      if (level[hop.to] != level[s]) continue;
      throw ConfigError(
          fmt::format("the fabric is no fat tree (switches {} and {} are on one level and cabled to each other); {}",
                      shown(subnet.switch_label(s)), shown(subnet.switch_label(hop.to)), advice));
    }
  }
  throw Bug("a tree of levels refused");
}

/// Hosts numbered along the tree: those below a common switch follow each other, on every level.
std::vector<u32> numbers_along_tree(const Subnet& subnet, const SwitchGraph& graph, const std::vector<u32>& level) {
  const u32 levels = *std::max_element(level.begin(), level.end()) + 1;
  std::vector<u32> leaf_order = graph.by_first_host();
  std::erase_if(leaf_order, [&](u32 s) { return level[s] != 0; });
  std::vector<u32> place(graph.switches(), ~u32{0});  // of a part: the smallest place of its leaves
  for (u32 k = 0; k < leaf_order.size(); ++k) place[leaf_order[k]] = k;

  // part[l][s]: the part that holds s when only levels up to l are there, as place of its first leaf.
  std::vector<std::vector<u32>> part{place};
  std::vector<u32> joined(graph.switches());
  std::iota(joined.begin(), joined.end(), 0U);
  const auto root = [&joined](u32 s) {
    while (joined[s] != s) s = joined[s] = joined[joined[s]];
    return s;
  };
  for (u32 l = 1; l < levels; ++l) {
    for (u32 s = 0; s < graph.switches(); ++s) {
      if (level[s] != l) continue;
      for (const SwitchHop& hop : graph.hops(s)) {
        if (level[hop.to] > l) continue;
        const u32 a = root(s), b = root(hop.to);
        joined[a] = b;
        place[b] = std::min(place[a], place[b]);
      }
    }
    std::vector<u32> now(graph.switches());
    for (u32 s = 0; s < graph.switches(); ++s) now[s] = place[root(s)];
    part.push_back(std::move(now));
  }
  std::stable_sort(leaf_order.begin(), leaf_order.end(), [&](u32 a, u32 b) {
    for (u32 l = levels; l-- > 0;) {
      if (part[l][a] != part[l][b]) return part[l][a] < part[l][b];
    }
    return false;
  });
  std::vector<u32> number(subnet.hosts(), 0), at_leaf;
  u32 next = 0;
  for (const u32 s : leaf_order) {
    at_leaf.assign(graph.hosts(s).begin(), graph.hosts(s).end());
    std::sort(at_leaf.begin(), at_leaf.end(),
              [&](u32 a, u32 b) { return subnet.peer_of_host(a).port < subnet.peer_of_host(b).port; });
    for (const u32 h : at_leaf) number[h] = next++;
  }
  return number;
}

/// Up by a digit of the destination's number, the digits of a level being as many as the switches there have neighbours
/// above. Down, where several paths are left, the least loaded.
class DigitChoice final : public ChooseLinks {
 public:
  DigitChoice(const Subnet& subnet, const SwitchGraph& graph, std::vector<u32> level)
      : graph_(graph), level_(std::move(level)), loads_(graph) {
    const std::vector<u32> number = numbers_along_tree(subnet, graph, level_);
    for (u32 h = 0; h < subnet.hosts(); ++h) {
      for (u32 address = 0; address < 1U << subnet.host_at(h).lmc; ++address) number_.push_back(number[h] + address);
    }
    const u32 levels = *std::max_element(level_.begin(), level_.end()) + 1;
    divisor_.assign(levels + 1, 1);
    for (u32 l = 0; l < levels; ++l) divisor_[l + 1] = divisor_[l] * std::max<u64>(1, parents(l));
  }
  void choose(const Paths& paths, u32 target, std::span<u16> chosen) override {
    const u64 number = number_[target];
    loads_.add_routes(paths, [&](u32 k) {
      const u32 s = paths.order[k];
      const auto links = paths.of(k);
      const bool up = level_[graph_.hops(s)[links.front()].to] > level_[s];
      chosen[k] = up ? links[number / divisor_[level_[s]] % links.size()] : loads_.least(s, links);
      return chosen[k];
    });
  }

 private:
  /// Most neighbours above that a switch of this level has.
  [[nodiscard]] u64 parents(u32 level) const {
    std::vector<u32> above;
    std::size_t most = 0;
    for (u32 s = 0; s < graph_.switches(); ++s) {
      if (level_[s] != level) continue;
      above.clear();
      for (const SwitchHop& hop : graph_.hops(s)) {
        if (level_[hop.to] > level) above.push_back(hop.to);
      }
      std::sort(above.begin(), above.end());
      above.erase(std::unique(above.begin(), above.end()), above.end());
      most = std::max(most, above.size());
    }
    return most;
  }

  const SwitchGraph& graph_;
  std::vector<u32> level_;    ///< [switch]
  std::vector<u32> number_;   ///< [target]
  std::vector<u64> divisor_;  ///< [level]
  LinkLoads loads_;
};

FabricRouting route_dmodk(const Subnet& subnet, const RoutingOptions& options) {
  SwitchGraph graph(subnet);
  graph.spread_parallel_links();
  const std::vector<u32> level = tree_levels(graph);
  if (level.empty()) refuse(subnet, graph);
  std::vector<u64> above(graph.switches());
  for (u32 s = 0; s < graph.switches(); ++s) above[s] = ~u32{0} - level[s];
  DigitChoice choice(subnet, graph, level);
  const auto find = [&above](const SwitchGraph& of, u32 destination, Paths& paths) {
    up_down_paths(of, above, destination, paths);
  };
  return fill_tables(subnet, graph, options, find, choice);
}

[[maybe_unused]] const bool dmodk_registered = RoutingEngineRegistry::instance().add(
    "dmodk",
    {.help =
         "fat trees: up by the digits of the destination's place, so that shifts meet no congestion; free of deadlock",
     .route = route_dmodk});

}  // namespace
}  // namespace weft::models
