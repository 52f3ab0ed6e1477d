// Midimews (minimal distance mesh with wrap-around links): of all networks with four links a node, one of least
// diameter and mean distance for each number of nodes (Beivide, Herrada, Balcazar, Arruabarrena, IEEE Trans.
// Computers 1991).
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <numeric>

#include "models/topology/kind/symmetric_lattice.hpp"
#include "models/topology/shape_check.hpp"
#include "models/topology/shapes_near.hpp"

namespace weft::models {
namespace {

/// ceil(sqrt(n / 2))
u32 side(u32 nodes) {
  u64 b = static_cast<u64>(std::sqrt(nodes / 2.0));
  while (2 * b * b < nodes) ++b;
  return static_cast<u32>(b);
}

/// The circulant of steps b and b - 1, b = ceil(sqrt(nodes / 2)).
class Midimew final : public SymmetricLattice {
 public:
  Midimew(u32 nodes, bool one_way) : SymmetricLattice(nodes, one_way), b_(side(nodes)) {}

  u32 dimensions() const override { return 2; }
  u32 moved(u32 node, u32 port) const override {
    const u32 step = port < 2 ? b_ : b_ - 1;
    return static_cast<u32>((u64{node} + (port % 2 == 0 ? step : nodes() - step)) % nodes());
  }
  /// The ring of step s through a node has one node below gcd(N, s): its first.
  bool crosses_border(RouterId router, u32 port) const override {
    return upper_end(router, port) < std::gcd(nodes(), port < 2 ? b_ : b_ - 1);
  }

  /// No two shortest routes are found alike, so nothing is drawn.
  Record record(NodeId from, NodeId to, u64 /*bits*/) const override {
    if (one_way()) return record_up(from, to);
    const i64 all = nodes(), b = b_;
    i64 offset = i64{to.value()} - i64{from.value()};
    if (2 * offset > all) offset -= all;
    if (2 * offset < -all) offset += all;
    // Half-way round it is upwards if the destination is higher, which is the sign that it has.
    const i64 q = std::abs(offset) / b, r = std::abs(offset) % b, sign = offset < 0 ? -1 : 1;
    const i64 x = q + r, around = q + r - b + 1;
    const bool direct = std::abs(x) + r <= std::abs(around) + b - r;
    Record hops{};
    hops[0] = static_cast<i32>(sign * (direct ? x : around));
    hops[1] = static_cast<i32>(sign * (direct ? -r : b - r));
    return hops;
  }
  u32 distance(NodeId from, NodeId to) const override {
    const Record hops = record(from, to, 0);
    return static_cast<u32>(std::abs(hops[0]) + std::abs(hops[1]));
  }

  /// At each distance d below the diameter there are 4d nodes, the rest is at the diameter.
  u32 diameter() const override {
    if (one_way()) return SymmetricLattice::diameter();
    const u64 b = b_;
    return nodes() <= 2 * b * b - 2 * b + 1 ? b_ - 1 : b_;
  }
  double mean_distance() const override {
    if (one_way()) return SymmetricLattice::mean_distance();
    const double d = diameter(), all = nodes();
    const double nearer = 2 * (d - 1) * d, sum = 2 * (d - 1) * d * (2 * d - 1) / 3;
    return (sum + d * (all - 1 - nearer)) / (all - 1);
  }

  std::string name() const override { return fmt::format("{}{}-node midimew", one_way_text(), nodes()); }
  std::vector<std::pair<std::string, std::string>> facts() const override {
    return {{"steps", b_ == 1 ? "1" : fmt::format("{} and {}", b_, b_ - 1)},
            {"diameter and mean distance", one_way() ? "counted from one node, exact: all are alike" : "closed forms"},
            {"links between the two halves of the circle", std::to_string(narrowest_cut())},
            {"load bound", "from the mean distance and all links, and from those between the halves"}};
  }

 protected:
  std::vector<Cut> cuts() const override {
    const u64 half = nodes() / 2;
    return {{half, links_cut(nodes(), b_, half) + links_cut(nodes(), b_ - 1, half)}};
  }

 private:
  /// With one-way links, x steps of b and y of b - 1: t = x + y steps lead t (b - 1) to t b further on, so the fewest
  /// are the first that reach the node, round the circle more than once perhaps.
  Record record_up(NodeId from, NodeId to) const {
    const i64 b = b_;
    i64 further = i64{to.value()} - i64{from.value()};
    if (further < 0) further += nodes();
    i64 steps = (further + b - 1) / b;
    while (steps * (b - 1) > further) {
      further += nodes();
      steps = (further + b - 1) / b;
    }
    Record hops{};
    hops[1] = static_cast<i32>(steps * b - further);
    hops[0] = static_cast<i32>(steps - hops[1]);
    return hops;
  }

  u32 b_;
};

std::unique_ptr<Topology> make_midimew(const Parameters& keys) {
  return std::make_unique<Midimew>(checked_count(keys, "nodes", {2, static_cast<i64>(most_nodes)}, "a midimew", 128),
                                   keys.flag("unidirectional"));
}

[[maybe_unused]] const bool midimew_registered = TopologyRegistry::instance().add(
    "midimew", {.help = "network of four links a node with the least distances that there are; key: nodes",
                .family = "lattice",
                .router = "bubble",
                .partition = "",
                .settings = {nodes_row(), unidirectional_row()},
                .make = make_midimew,
                .example = {{"nodes", i64{37}}}});

[[maybe_unused]] const bool midimews_near_registered =
    add_shapes_near("midimew", [](const SizeWish& wish) -> std::vector<Parameters> {
      return {{{"nodes", static_cast<i64>(wish.nodes)}}};
    });

}  // namespace
}  // namespace weft::models
