// Networks whose links are directions: a route is so many hops up or down in each of a few dimensions, in whatever
// order.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "models/topology/topology.hpp"

namespace weft::models {

/// Tori, twisted or not, circulant graphs, meshes of triangles. Nodes sit inside routers; port 2d goes up (+) in
/// dimension d, port 2d + 1 down (-), and leads to the other one of the pair at its far end.
class Lattice : public Topology {
 public:
  static constexpr u32 most_dimensions = 16;
  /// Hops to go in each dimension, up positive.
  using Record = std::array<i32, most_dimensions>;

  [[nodiscard]] virtual u32 dimensions() const = 0;
  /// A route between two nodes as hops in each dimension; those behind `dimensions` are 0. Where several are alike,
  /// `bits` decide: where both ways round a ring are equally long, bit d % 8 says which (1: down).
  [[nodiscard]] virtual Record record(NodeId from, NodeId to, u64 bits) const = 0;
  /// Most hops in one dimension of any record.
  [[nodiscard]] virtual u32 longest_record() const = 0;
  /// Whether the link of a port closes the ring of its dimension: it leads across the border of the coordinates
  /// (Dally's date line).
  [[nodiscard]] virtual bool crosses_border(RouterId router, u32 port) const = 0;

  [[nodiscard]] u32 routers() const override { return nodes(); }
  [[nodiscard]] u32 ports(RouterId /*router*/) const override { return 2 * dimensions(); }
  [[nodiscard]] RouterId router_of(NodeId node) const override { return RouterId{node.value()}; }
  [[nodiscard]] u32 port_of(NodeId /*node*/) const override { return 0; }
  [[nodiscard]] u32 work(RouterId /*router*/) const override { return 1; }
  [[nodiscard]] bool direct() const override { return true; }
  [[nodiscard]] bool opposite_ports() const override { return true; }

 protected:
  /// The links between some nodes, `nodes` of them, and the others.
  struct Cut {
    u64 nodes, links;
  };
  /// Cuts that may be narrow.
  [[nodiscard]] virtual std::vector<Cut> cuts() const { return {}; }
  /// Links of the narrowest cut; all links if none is narrower.
  [[nodiscard]] u64 narrowest_cut() const {
    u64 least = router_links();
    for (const Cut& cut : cuts()) least = std::min(least, cut.links);
    return least;
  }
  /// Bound of the load under uniform traffic: what must cross a cut takes no more than its links. `bound`: what else
  /// limits it; `ways`: share of both directions in which links of a cut carry packets.
  [[nodiscard]] double bound_by_cuts(double bound, double ways = 1.0) const {
    const double all = nodes();
    bound = std::min(1.0, bound);
    for (const Cut& cut : cuts()) {
      const double here = static_cast<double>(cut.nodes), there = all - here;
      bound = std::min(bound, ways * static_cast<double>(cut.links) * (all - 1) / (here * there));
    }
    return bound;
  }
};

}  // namespace weft::models
