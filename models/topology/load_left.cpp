// Cuts one after the other; the narrowest says what the network carries.
#include "models/topology/load_left.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "models/topology/router_groups.hpp"

namespace weft::models {
namespace {

constexpr u32 most_routers = 4096;
constexpr u32 most_layers = 256;

class CutsOf {
 public:
  explicit CutsOf(const Topology& topology) : topology_(topology), nodes_(topology.routers(), 0) {
    take_largest_part();
    if (all_ == topology.nodes()) narrow(topology.whole().uniform_load_bound(), "the links of the whole network");
    if (all_ < 2) return;
    around_routers();
    around_groups();
    across_grid();
    for (u32 parts = 2; parts < topology.routers(); parts *= 2) around_parts(parts);
    if (topology.routers() <= most_routers) shortest_paths();
  }
  [[nodiscard]] LoadLeft found() const { return {found_.bound, found_.why, all_}; }

 private:
  void narrow(double bound, const std::string& why) {
    if (bound < found_.bound) found_ = {bound, why, 0};
  }

  /// Nodes of the part of the network that has most of them, [router].
  void take_largest_part() {
    const std::vector<u32> part = router_groups(topology_);
    std::vector<u32> sizes(topology_.routers(), 0);
    for (u32 node = 0; node < topology_.nodes(); ++node)
      sizes[part[topology_.router_of(NodeId(node)).value()]] += topology_.works(NodeId(node)) ? 1 : 0;
    const auto largest = std::ranges::max_element(sizes) - sizes.begin();
    for (u32 node = 0; node < topology_.nodes(); ++node) {
      const u32 router = topology_.router_of(NodeId(node)).value();
      if (part[router] != largest || !topology_.works(NodeId(node))) continue;
      ++nodes_[router];
      ++all_;
    }
  }

  /// What the links that leave a router, or lead to it, carry in a cycle: f(far router, there, back).
  template <class F>
  void for_each_link(u32 router, F&& f) const {
    for (u32 port = 0; port < topology_.ports(RouterId(router)); ++port) {
      const Peer far = topology_.peer(RouterId(router), port);
      if (far.kind != Peer::Kind::router) continue;
      const bool there = topology_.carries(RouterId(router), port),
                 back = topology_.carries(RouterId(far.id), far.port);
      f(far.id, there ? topology_.link_rate(RouterId(router), port) : 0,
        back ? topology_.link_rate(RouterId(far.id), far.port) : 0);
    }
  }

  /// A side with so many nodes, and what its links carry out and in.
  void cut(u64 side, double out, double in, const std::string& why) {
    if (side == 0 || side == all_) return;
    const double crossing = static_cast<double>(side) * static_cast<double>(all_ - side) / (all_ - 1);
    narrow(std::min(out, in) / crossing, why);
  }

  void around_routers() {
    for (u32 router = 0; router < topology_.routers(); ++router) {
      double out = 0, in = 0;
      for_each_link(router, [&](u32 far, double there, double back) {
        if (far == router) return;
        out += there;
        in += back;
      });
      cut(nodes_[router], out, in, fmt::format("the links of router {}", router));
    }
  }

  /// Each of several sides against all others. `side`: [router].
  template <class Name>
  void around_sides(const std::vector<u32>& side, u32 sides, Name&& name) {
    std::vector<u64> nodes(sides, 0);
    std::vector<double> out(sides, 0), in(sides, 0);
    for (u32 router = 0; router < topology_.routers(); ++router) {
      nodes[side[router]] += nodes_[router];
      for_each_link(router, [&](u32 far, double there, double back) {
        if (side[far] == side[router]) return;
        out[side[router]] += there;
        in[side[router]] += back;
      });
    }
    for (u32 s = 0; s < sides; ++s) cut(nodes[s], out[s], in[s], name(s));
  }

  void around_parts(u32 parts) {
    const RegularPartition partition = topology_.regular_partition(parts);
    if (!partition.part_of) return;
    std::vector<u32> side(topology_.routers());
    for (u32 router = 0; router < topology_.routers(); ++router) side[router] = partition.part_of(router);
    around_sides(side, parts, [&](u32 s) { return fmt::format("the links of part {} of {}", s, parts); });
  }

  /// Routers go with their nodes; those without nodes are a side of their own.
  void around_groups() {
    const u32 size = topology_.group_nodes();
    if (size == 0) return;
    const u32 groups = (topology_.nodes() + size - 1) / size;
    std::vector<u32> side(topology_.routers(), groups);
    for (u32 node = 0; node < topology_.nodes(); ++node) side[topology_.router_of(NodeId(node)).value()] = node / size;
    around_sides(side, groups + 1, [](u32 s) { return fmt::format("the links of group {}", s); });
  }

  /// Slabs of a lattice: all ranges of layers of each dimension, over its ends as well.
  void across_grid() {
    const std::vector<u32> grid = topology_.grid();
    if (!topology_.direct() || topology_.nodes() != topology_.routers()) return;
    u32 below = 1;
    for (u32 d = 0; d < grid.size(); below *= grid[d++]) {
      const u32 layers = grid[d];
      if (layers < 2 || layers > most_layers) continue;
      const auto layer = [&](u32 router) { return router / below % layers; };
      std::vector<double> flow(std::size_t{layers} * layers, 0);  // [from][to]
      std::vector<u64> nodes(layers, 0);
      for (u32 router = 0; router < topology_.routers(); ++router) {
        nodes[layer(router)] += nodes_[router];
        for_each_link(router, [&](u32 far, double there, double) {
          flow[std::size_t{layer(router)} * layers + layer(far)] += there;
        });
      }
      for (u32 first = 0; first < layers; ++first) grow_slab(flow, nodes, first, d);
    }
  }

  /// Slabs that begin with a layer: each next layer brings its links to others, and takes those to the slab away.
  void grow_slab(const std::vector<double>& flow, const std::vector<u64>& nodes, u32 first, u32 dimension) {
    const auto layers = static_cast<u32>(nodes.size());
    std::vector<bool> inside(layers, false);
    u64 side = 0;
    double out = 0, in = 0;
    for (u32 width = 1; width < layers; ++width) {
      const u32 next = (first + width - 1) % layers;
      for (u32 other = 0; other < layers; ++other) {
        if (other == next) continue;
        const double away = flow[std::size_t{next} * layers + other], back = flow[std::size_t{other} * layers + next];
        out += inside[other] ? -back : away;
        in += inside[other] ? -away : back;
      }
      inside[next] = true;
      side += nodes[next];
      cut(side, out, in, fmt::format("the links of {} layers from {} on in dimension {}", width, first, dimension));
    }
  }

  /// All packets together take links for as long as their shortest paths have some.
  void shortest_paths() {
    double carried = 0, taken = 0;
    std::vector<u32> distance, open;
    for (u32 router = 0; router < topology_.routers(); ++router) {
      for_each_link(router, [&](u32, double there, double) { carried += there; });
      if (nodes_[router] == 0) continue;
      distance.assign(topology_.routers(), ~u32{0});
      distance[router] = 0;
      open.assign(1, router);
      for (std::size_t at = 0; at < open.size(); ++at) {
        const u32 here = open[at];
        taken += static_cast<double>(nodes_[router]) * nodes_[here] * distance[here];
        for_each_link(here, [&](u32 far, double there, double) {
          if (there == 0 || distance[far] != ~u32{0}) return;
          distance[far] = distance[here] + 1;
          open.push_back(far);
        });
      }
    }
    if (taken > 0) narrow(carried * (all_ - 1) / taken, "all links together");
  }

  const Topology& topology_;
  std::vector<u32> nodes_;  ///< [router] that are looked at
  u32 all_ = 0;
  LoadLeft found_;
};

}  // namespace

LoadLeft load_left(const Topology& topology) { return CutsOf(topology).found(); }

}  // namespace weft::models
