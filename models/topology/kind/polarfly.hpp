// PolarFlies (Lakhotia, Besta, Monroe, Isham, Iff, Hoefler, Petrini, SC 2022): networks of diameter 2 with almost as
// many routers as any graph of their degree can have, the polarity graphs of Erdos, Renyi and Brown.
#pragma once

#include <array>

#include "models/topology/finite_field.hpp"
#include "models/topology/kind/two_hops.hpp"

namespace weft::models {

/// Routers are the q^2 + q + 1 points of the projective plane over GF(q), q any power of a prime: vectors of three
/// elements that are not 0, of which multiples are one point; the one whose first element but 0 is 1 stands for it. Two
/// are neighbours if their dot product is 0 (Erdos, Renyi 1962; Brown, Canad. Math. Bull. 9, 1966). The q + 1 points
/// whose product with themselves is 0 (quadrics) have q neighbours, all others q + 1.
///
/// Diameter 2: two points have exactly one point orthogonal to both, their cross product. It is one of the two only if
/// that is a quadric and they are neighbours. So shortest paths are unique.
///
/// Router 0 is (0, 0, 1), router 1 + z is (0, 1, z), router 1 + q + q y + z is (1, y, z). Ports lead to the neighbours
/// in the order of their numbers.
class PolarFly final : public TwoHopNetwork {
 public:
  using Point = std::array<u32, 3>;

  /// `order` is a prime power.
  PolarFly(u32 order, u32 nodes_per_router);

  [[nodiscard]] static bool exists(u64 order);
  /// q
  [[nodiscard]] u32 order() const { return field_.order(); }
  [[nodiscard]] Point point(RouterId router) const;
  [[nodiscard]] RouterId router(const Point& point) const;
  /// Whether a router is orthogonal to itself.
  [[nodiscard]] bool quadric(RouterId router) const { return dot(point(router), point(router)) == 0; }

  [[nodiscard]] u32 links_of(RouterId router) const override { return order() + (quadric(router) ? 0 : 1); }
  [[nodiscard]] u32 port_to(RouterId from, RouterId to) const override;
  [[nodiscard]] RouterId between(RouterId from, RouterId to, u64 bits) const override;

  [[nodiscard]] u32 routers() const override { return order() * order() + order() + 1; }
  [[nodiscard]] Peer peer(RouterId router, u32 port) const override;
  [[nodiscard]] u32 kinds() const override { return 2; }
  /// Quadrics are of kind 1.
  [[nodiscard]] u32 kind(RouterId router) const override { return quadric(router) ? 1 : 0; }
  [[nodiscard]] u32 kind_ports(u32 kind) const override { return order() + 1 - kind + nodes_per_router(); }
  [[nodiscard]] u64 kind_routers(u32 kind) const override { return kind == 1 ? order() + 1 : u64{order()} * order(); }

  [[nodiscard]] double mean_distance() const override;
  /// Bound of shortest paths: a link to a quadric is on those of 2q pairs of routers, in each direction.
  [[nodiscard]] double uniform_load_bound() const override;
  [[nodiscard]] u64 router_links() const override { return u64{order()} * (order() + 1) * (order() + 1) / 2; }
  [[nodiscard]] std::string name() const override;
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> facts() const override;

 private:
  [[nodiscard]] u32 dot(const Point& a, const Point& b) const;
  /// The i-th of the q + 1 points orthogonal to one, by number.
  [[nodiscard]] RouterId on_line(const Point& line, u32 place) const;
  /// Which of them a point is, which is orthogonal to it.
  [[nodiscard]] u32 place_on(const Point& line, RouterId router) const;
  /// The point that stands for a vector.
  [[nodiscard]] Point normal(Point vector) const;

  FiniteField field_;
};

}  // namespace weft::models
