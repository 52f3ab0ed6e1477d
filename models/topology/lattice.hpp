// Networks whose links are directions: a route is so many hops up or down in each of a few dimensions, in whatever
// order.
#pragma once

#include <array>

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

  [[nodiscard]] bool direct() const override { return true; }
  [[nodiscard]] bool opposite_ports() const override { return true; }
};

}  // namespace weft::models
