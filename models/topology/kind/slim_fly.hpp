// Slim Flies (Besta, Hoefler, SC 2014): networks of diameter 2 with almost as many routers as any graph of their degree
// can have, the graphs of McKay, Miller and Siran.
#pragma once

#include <array>
#include <vector>

#include "models/topology/finite_field.hpp"
#include "models/topology/kind/two_hops.hpp"

namespace weft::models {

/// 2 q^2 routers of p nodes for a prime power q = 4w + d, d of -1, 0, 1, over the field GF(q) with generator g (McKay,
/// Miller, Siran, J. Comb. Theory B 74, 1998; Hafner, Discrete Appl. Math. 138, 2004):
///     (0, x, y) - (0, x, y')  if y - y' is in X[0],
///     (1, m, c) - (1, m, c')  if c - c' is in X[1],
///     (0, x, y) - (1, m, c)   if y = m x + c;
/// X[0] has the powers of g with exponents
///     0, 2, 4 ... q - 3                                  d = 1,
///     0, 2, 4 ... q - 2                                  d = 0,
///     0, 2 ... 2w - 2, and 2w - 1, 2w + 1 ... 4w - 3     d = -1,
/// and X[1] those times g. Each X has (q - d) / 2 elements and the negative of each; the two together are all elements
/// but 0, and they have 1 - d of them in common. A router has degree k' = (3q - d) / 2.
///
/// Diameter 2: routers of the same half and different x (or m) have exactly one neighbour in common, of the other half.
/// (0, x, y) and (1, m, c) are neighbours if D = y - m x - c is 0; else (0, x, m x + c) is between them if D is in
/// X[0], (1, m, y - m x) if it is in X[1]. Routers of the same half and x are neighbours if their difference D is in X;
/// else each s of X for which D - s is in X, too, gives a router between them. There is one: X and D - X have
/// (q - 1) / 2 elements each or more, and neither has 0 or D, so they share some.
///
/// Router (h, x, y) is (2 x + h) q + y: rack x is the groups (0, x, *) and (1, x, *) of q each, and 2q links lead from
/// a rack to each other. Ports: one for each element s of X[h], to y + s; one for each group j of the other half; p
/// nodes. Node n is at router n / p.
class SlimFly final : public TwoHopNetwork {
 public:
  /// A router: half 0 or 1; x, y or m, c.
  struct Place {
    u32 half, group, element;
  };

  /// `order` is a prime power 0, 1 or 3 modulo 4.
  SlimFly(u32 order, u32 nodes_per_router);

  /// Whether there is one of this q.
  [[nodiscard]] static bool exists(u64 order);
  /// k' of a q for which there is one.
  [[nodiscard]] static u32 degree_of(u32 order) { return order + (order + (order % 4 == 3 ? 1 : 0)) / 2; }

  [[nodiscard]] const FiniteField& field() const { return field_; }
  /// q
  [[nodiscard]] u32 order() const { return field_.order(); }
  /// k'
  [[nodiscard]] u32 degree() const { return inside() + order(); }
  [[nodiscard]] u32 links_of(RouterId /*router*/) const override { return degree(); }
  /// X of a half, in the order of ports.
  [[nodiscard]] const std::vector<u32>& generators(u32 half) const { return generators_[half]; }
  [[nodiscard]] Place place(RouterId router) const {
    const u32 group = router.value() / order();
    return {group % 2, group / 2, router.value() % order()};
  }
  [[nodiscard]] RouterId router(const Place& at) const {
    return RouterId{(2 * at.group + at.half) * order() + at.element};
  }
  [[nodiscard]] u32 port_to(RouterId from, RouterId to) const override;
  [[nodiscard]] RouterId between(RouterId from, RouterId to, u64 bits) const override;
  /// Ordered pairs of routers whose shortest paths go over a link between the halves, in either direction; those inside
  /// groups have no more. Of a pair with several paths each counts as much.
  [[nodiscard]] u32 pairs_over_link() const { return 3 * order() - 2; }
  /// A permutation of the routers that is the worst of all for shortest paths: each sends to the router two links on
  /// along a circle, and the only path there is that. (0, x, y) is followed by (1, x, y - x x), (1, m, c) by
  /// (0, m + 1, m (m + 1) + c): each link of the circles carries what the nodes of two routers send, all other links
  /// nothing, so nodes get 1 / (2 p). No permutation of nodes can make it less: a link is the first of paths from one
  /// router and the second of paths to one, p each.
  [[nodiscard]] RouterId worst_partner(RouterId router) const { return next_on_circle(next_on_circle(router)); }
  [[nodiscard]] std::optional<NodeRange> worst_case(NodeId from) const override {
    return NodeRange{worst_partner(router_of(from)).value() * nodes_per_router(), nodes_per_router()};
  }

  [[nodiscard]] u32 routers() const override { return 2 * order() * order(); }
  [[nodiscard]] Peer peer(RouterId router, u32 port) const override;
  [[nodiscard]] u32 kind_ports(u32 /*kind*/) const override { return degree() + nodes_per_router(); }
  [[nodiscard]] double mean_distance() const override;
  /// Bound of shortest paths, each of several as often: what the links between the halves carry, which are the fullest.
  [[nodiscard]] double uniform_load_bound() const override;
  [[nodiscard]] u64 router_links() const override { return u64{order()} * order() * degree(); }
  [[nodiscard]] std::string name() const override;
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> facts() const override;
  [[nodiscard]] std::string link_name(RouterId router, u32 port) const override;
  /// Whole racks, neighbours by number.
  [[nodiscard]] RegularPartition regular_partition(u32 parts) const override;

 private:
  /// Ports that stay in the group.
  [[nodiscard]] u32 inside() const { return static_cast<u32>(generators_[0].size()); }
  /// The element of group `group` of the other half that a router is linked to.
  [[nodiscard]] u32 across(const Place& at, u32 group) const {
    const u32 product = field_.product(at.group, group);
    return at.half == 0 ? field_.difference(at.element, product) : field_.sum(at.element, product);
  }
  [[nodiscard]] RouterId next_on_circle(RouterId router) const;

  FiniteField field_;
  std::array<std::vector<u32>, 2> generators_;
  std::array<std::vector<u32>, 2> port_of_generator_;  ///< [half][element]; no_port if it is none
};

}  // namespace weft::models
