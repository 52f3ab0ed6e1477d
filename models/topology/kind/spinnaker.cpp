// SpiNNaker's triangular torus: a grid whose rings are joined by diagonals too, six links a node.
#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <numeric>

#include "models/topology/boxes.hpp"
#include "models/topology/kind/symmetric_lattice.hpp"
#include "models/topology/shape_check.hpp"

namespace weft::models {
namespace {

/// Dimension 0 is x, 1 is y, 2 the diagonal: one up in both.
class Spinnaker final : public SymmetricLattice {
 public:
  Spinnaker(u32 x, u32 y, bool one_way) : SymmetricLattice(x * y, one_way), dims_{x, y} {}

  u32 dimensions() const override { return 3; }
  u32 moved(u32 node, u32 port) const override {
    u32 at[2] = {coordinate(node, 0), coordinate(node, 1)};
    for (const u32 d : {0U, 1U}) {
      if (port / 2 != d && port / 2 != 2) continue;
      at[d] = (at[d] + (port % 2 == 0 ? 1 : dims_[d] - 1)) % dims_[d];
    }
    return at[1] * dims_[0] + at[0];
  }
  /// Whether a link in x or y crosses the border of the coordinates. A ring of diagonals is closed where it comes back
  /// to its first node, which has y = 0 and x below the number of rings.
  bool crosses_border(RouterId router, u32 port) const override {
    const u32 upper = upper_end(router, port);
    if (port < 4) return coordinate(upper, port / 2) == 0;
    return upper < std::gcd(dims_[0], dims_[1]);
  }

  /// Straight or once round in x and in y; of each the diagonal with x, the diagonal with y, or x and y. The first of
  /// the shortest in that order is taken, nothing is drawn: as in INSEE.
  Record record(NodeId from, NodeId to, u64 /*bits*/) const override {
    i32 ways[2][2];  // [dimension][straight, round]
    for (const u32 d : {0U, 1U}) {
      const i32 size = static_cast<i32>(dims_[d]);
      ways[d][0] = static_cast<i32>(coordinate(to.value(), d)) - static_cast<i32>(coordinate(from.value(), d));
      ways[d][1] = ways[d][0] > 0 ? ways[d][0] - size : ways[d][0] + size;
    }
    if (one_way()) {  // up in both as long as there is way to go in both
      const i32 x = std::max(ways[0][0], ways[0][0] < 0 ? ways[0][1] : 0);
      const i32 y = std::max(ways[1][0], ways[1][0] < 0 ? ways[1][1] : 0);
      return Record{x - std::min(x, y), y - std::min(x, y), std::min(x, y)};
    }
    Record best{};
    u32 least = ~u32{0};
    for (const i32 x : ways[0]) {
      for (const i32 y : ways[1]) {
        for (const Record& hops : {Record{x - y, 0, y}, Record{0, y - x, x}, Record{x, y, 0}}) {
          if (length(hops) >= least) continue;
          least = length(hops);
          best = hops;
        }
      }
    }
    return best;
  }
  u32 distance(NodeId from, NodeId to) const override { return length(record(from, to, 0)); }

  std::string name() const override {
    return fmt::format("{}{}x{} triangular torus", one_way_text(), dims_[0], dims_[1]);
  }
  std::vector<std::pair<std::string, std::string>> facts() const override {
    return {{"diameter and mean distance", "counted from one node, exact: all are alike"},
            {"links across the middle of a dimension, the fewest", std::to_string(narrowest_cut())},
            {"load bound", "from the mean distance and all links, and from that cut"}};
  }
  std::vector<u32> grid() const override { return dims_; }
  std::string link_name(RouterId /*router*/, u32 port) const override {
    constexpr const char* names[] = {"x+", "x-", "y+", "y-", "diagonal+", "diagonal-"};
    return names[port];
  }
  RegularPartition regular_partition(u32 parts) const override {
    return {"boxes", box_partition({dims_, true, false}, parts), true, "its dimensions cannot be cut into so many"};
  }

 protected:
  /// Two planes; each is crossed by the links of its dimension and by diagonals.
  std::vector<Cut> cuts() const override {
    std::vector<Cut> result;
    for (const u32 k : dims_) {
      const u64 half = k / 2, plane = nodes() / k;
      if (half != 0) result.push_back({half * plane, 4 * plane});
    }
    return result;
  }

 private:
  static u32 length(const Record& hops) {
    return static_cast<u32>(std::abs(hops[0]) + std::abs(hops[1]) + std::abs(hops[2]));
  }
  u32 coordinate(u32 router, u32 d) const { return d == 0 ? router % dims_[0] : router / dims_[0]; }

  std::vector<u32> dims_;
};

std::unique_ptr<Topology> make_spinnaker(const Parameters& keys) {
  const std::vector<u32> dims = checked_dims(keys, {2, 2, "a triangular torus"});
  return std::make_unique<Spinnaker>(dims[0], dims[1], keys.flag("unidirectional"));
}

[[maybe_unused]] const bool spinnaker_registered = TopologyRegistry::instance().add(
    "spinnaker", {.help = "SpiNNaker's triangular torus, a grid of rings with diagonals; key: dims",
                  .family = "triangular",
                  .router = "bubble",
                  .partition = "boxes",
                  .settings = {dims_row("routers in x and y, e.g. [8, 8]."), unidirectional_row()},
                  .make = make_spinnaker,
                  .example = {{"dims", std::vector<i64>{5, 4}}}});

}  // namespace
}  // namespace weft::models
