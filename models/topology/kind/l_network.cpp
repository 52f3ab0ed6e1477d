// L-networks: all regular networks of four links a node that are cut out of the plane's grid by two vectors (C.
// Camarero, C. Martinez, R. Beivide, L-Networks: A Topological Model for Regular Two-Dimensional Interconnection
// Networks, IEEE Trans. Computers 2013). Tori, twisted tori, circulants of two steps and midimews are among them.
#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <numeric>

#include "engine/base/nearest.hpp"
#include "models/topology/kind/hop_table.hpp"
#include "models/topology/kind/symmetric_lattice.hpp"
#include "models/topology/shape_check.hpp"

namespace weft::models {
namespace {

/// Distances from node 0 are kept in a table.
constexpr i64 most_l_network_nodes = i64{1} << 26;

/// Points of the grid are one node if they differ by a sum of multiples of two vectors. The multiples of these are
/// those of (width, 0) and (shift, height) too (Hermite's normal form), so a node is a point with 0 <= x < width and 0
/// <= y < height, number y * width + x.
struct GridModulo {
  i64 width, height, shift;

  /// Modulo the vectors (a, b) and (c, d), whose determinant is not 0.
  static GridModulo of(i64 a, i64 b, i64 c, i64 d) {
    while (b != 0) {  // Euclid's algorithm on their second coordinates
      const i64 quotient = d / b;
      c -= quotient * a;
      d -= quotient * b;
      std::swap(a, c);
      std::swap(b, d);
    }
    const i64 width = std::abs(a), height = std::abs(d);
    const i64 shift = d < 0 ? -c : c;
    return {width, height, ((shift % width) + width) % width};
  }
  [[nodiscard]] u32 number(i64 x, i64 y) const {
    const i64 rows = y >= 0 ? y / height : -((height - 1 - y) / height);  // rounded down
    x -= rows * shift;
    return static_cast<u32>((y - rows * height) * width + ((x % width) + width) % width);
  }
  [[nodiscard]] i64 x(u32 node) const { return node % width; }
  [[nodiscard]] i64 y(u32 node) const { return node / width; }
};

class LNetwork final : public SymmetricLattice {
 public:
  LNetwork(const GridModulo& grid, std::vector<i64> vectors, bool one_way)
      : SymmetricLattice(static_cast<u32>(grid.width * grid.height), one_way),
        grid_(grid),
        vectors_(std::move(vectors)) {}

  u32 dimensions() const override { return 2; }
  u32 moved(u32 node, u32 port) const override {
    const i64 step = port % 2 == 0 ? 1 : -1;
    return grid_.number(grid_.x(node) + (port < 2 ? step : 0), grid_.y(node) + (port < 2 ? 0 : step));
  }
  /// Rings of x are the rows. A ring of y takes every gcd-th column of a row where it comes round: its first column
  /// closes it.
  bool crosses_border(RouterId router, u32 port) const override {
    const u32 upper = upper_end(router, port);
    if (port < 2) return grid_.x(upper) == 0;
    return upper < static_cast<u32>(std::gcd(grid_.width, grid_.shift));
  }

  Record record(NodeId from, NodeId to, u64 bits) const override { return table_.route(offset_of(from, to), bits); }
  u32 distance(NodeId from, NodeId to) const override { return table_.hops()[offset_of(from, to)]; }

  std::string name() const override {
    return fmt::format("{}L-network ({},{}), ({},{})", one_way_text(), vectors_[0], vectors_[1], vectors_[2],
                       vectors_[3]);
  }
  std::vector<std::pair<std::string, std::string>> facts() const override {
    return {
        {"the same network as a twisted torus", fmt::format("dims = [{}, {}], twist = [{}]", grid_.width, grid_.height,
                                                            (grid_.width - grid_.shift) % grid_.width)},
        {"diameter and mean distance", "counted from one node, exact: all are alike"},
        {"links across the middle of a dimension, the fewest", std::to_string(narrowest_cut())},
        {"load bound", "from the mean distance and all links, and from that cut"}};
  }

 protected:
  const std::vector<u32>* kept_hops() const override { return &table_.hops(); }
  std::vector<Cut> cuts() const override {
    const u64 width = static_cast<u64>(grid_.width), height = static_cast<u64>(grid_.height);
    std::vector<Cut> result;
    if (height > 1) result.push_back({height / 2 * width, 2 * width});
    if (width > 1) {
      const u64 half = width / 2;
      result.push_back({half * height, 2 * height + links_cut(width, static_cast<u64>(grid_.shift), half)});
    }
    return result;
  }

 private:
  u32 offset_of(NodeId from, NodeId to) const {
    return grid_.number(grid_.x(to.value()) - grid_.x(from.value()), grid_.y(to.value()) - grid_.y(from.value()));
  }

  GridModulo grid_;
  std::vector<i64> vectors_;  ///< as they were given
  HopTable<LNetwork> table_{*this};
};

std::unique_ptr<Topology> make_l_network(const Parameters& keys) {
  const std::vector<i64> given = keys.has("vectors") ? keys.integers("vectors") : std::vector<i64>{};
  const std::string example = "vectors = [4, 3, -3, 4]";
  if (given.empty()) need_shape({}, "vectors", "an L-network", "two vectors whose multiples are one node", example);
  if (given.size() != 4)
    refuse_shape("vectors", list_text(given), "two vectors have four coordinates: x, y, x, y", example);
  const i64 nodes = std::abs(given[0] * given[3] - given[1] * given[2]);
  if (nodes < 2) {
    refuse_shape("vectors", list_text(given),
                 fmt::format("the nodes are as many as the determinant says, {}; at least 2 are needed", nodes),
                 example);
  }
  if (nodes > most_l_network_nodes) {
    refuse_shape("vectors", list_text(given),
                 fmt::format("{} nodes, at most {} are possible", nodes, most_l_network_nodes), "shorter vectors");
  }
  return std::make_unique<LNetwork>(GridModulo::of(given[0], given[1], given[2], given[3]), given,
                                    keys.flag("unidirectional"));
}

[[maybe_unused]] const bool l_network_registered = TopologyRegistry::instance().add(
    "l-network",
    {.help = "any regular network of four links a node in the plane: a grid modulo two vectors; key: vectors",
     .family = "lattice",
     .router = "bubble",
     .partition = "",
     .settings = {row::integers(
                      "topology.vectors", "nodes", {-(i64{1} << 26), i64{1} << 26},
                      "two vectors, x, y, x, y: nodes of the grid that differ by multiples of them are one, so "
                      "there are as many as the determinant says, e.g. [4, 3, -3, 4]."),
                  unidirectional_row()},
     .make = make_l_network,
     .example = {{"vectors", std::vector<i64>{5, 2, -1, 4}}}});

}  // namespace
}  // namespace weft::models
