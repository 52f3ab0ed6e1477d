// King tori and meshes: grids of two dimensions whose routers have eight links, as a king moves (E. Stafford et al.,
// King topologies for fault tolerance, HPCC 2012).
#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <numeric>

#include "models/topology/boxes.hpp"
#include "models/topology/lattice.hpp"
#include "models/topology/shape_check.hpp"

namespace weft::models {
namespace {

/// Dimension 0 is x, 1 is y, 2 the diagonal (up in both), 3 the other one (up in x, down in y). A route is as long as
/// the longer of its two coordinates: diagonals as long as there is way to go in both. Larger than others: it answers
/// all questions of a topology that is not alike from every node.
class King final : public Lattice {
 public:
  King(u32 x, u32 y, bool wraps) : dims_{x, y}, wraps_(wraps) { WEFT_ASSERT(x > 1 && y > 1); }

  u32 nodes() const override { return dims_[0] * dims_[1]; }
  u32 dimensions() const override { return 4; }

  Peer peer(RouterId router, u32 port) const override {
    WEFT_ASSERT(router.value() < nodes() && port < 8);
    u32 at[2] = {coordinate(router.value(), 0), coordinate(router.value(), 1)};
    for (const u32 d : {0U, 1U}) {
      const int step = steps[port / 2][d] * (port % 2 == 0 ? 1 : -1);
      if (step == 0) continue;
      const bool leaves = at[d] == (step > 0 ? dims_[d] - 1 : 0);
      if (leaves && !wraps_) return {};
      at[d] = step > 0 ? (leaves ? 0 : at[d] + 1) : (leaves ? dims_[d] - 1 : at[d] - 1);
    }
    return {Peer::Kind::router, at[1] * dims_[0] + at[0], port ^ 1U};
  }

  /// Whether a link in x or y crosses the border of the coordinates. A ring of diagonals is closed where it comes back
  /// to its first node, which has y = 0 and x below the number of rings.
  bool crosses_border(RouterId router, u32 port) const override {
    if (!wraps_) return false;
    const Peer far = peer(router, port);
    if (far.kind == Peer::Kind::none) return false;
    const u32 upper = port % 2 == 0 ? far.id : router.value();
    if (port < 4) return coordinate(upper, port / 2) == 0;
    return upper < std::gcd(dims_[0], dims_[1]);
  }

  /// Where both ways round x or y are equally long, bits 0 and 1 say which (1: down).
  Record record(NodeId from, NodeId to, u64 bits) const override {
    const i32 x = offset(from, to, 0, bits), y = offset(from, to, 1, bits);
    const i32 both = std::min(std::abs(x), std::abs(y)), along = x < 0 ? -both : both;
    const bool same = (x < 0) == (y < 0);
    return Record{x - along, y - (same ? along : -along), same ? along : 0, same ? 0 : along};
  }
  u32 longest_record() const override { return diameter(); }
  u32 distance(NodeId from, NodeId to) const override {
    return static_cast<u32>(std::max(std::abs(offset(from, to, 0, 0)), std::abs(offset(from, to, 1, 0))));
  }
  u32 diameter() const override { return std::max(farthest(0), farthest(1)); }
  double mean_distance() const override {
    // Pairs by their distance in y, and those with less: the longer of the two coordinates counts.
    double sum = 0;
    const std::vector<double> x = pairs_at(0), y = pairs_at(1);
    double x_below = 0, y_below = 0;
    for (std::size_t hops = 0; hops < std::max(x.size(), y.size()); ++hops) {
      const double x_here = hops < x.size() ? x[hops] : 0, y_here = hops < y.size() ? y[hops] : 0;
      sum += static_cast<double>(hops) * (x_here * (y_below + y_here) + y_here * x_below);
      x_below += x_here;
      y_below += y_here;
    }
    const double all = nodes();
    return sum / (all * (all - 1));
  }
  u64 router_links() const override {
    const u64 x = dims_[0], y = dims_[1];
    return wraps_ ? 4 * x * y : (x - 1) * y + x * (y - 1) + 2 * (x - 1) * (y - 1);
  }
  /// What must cross the middle takes no more than its links, and the mean route no more than all.
  double uniform_load_bound() const override {
    return bound_by_cuts(2.0 * static_cast<double>(router_links()) / (nodes() * mean_distance()));
  }

  std::string name() const override {
    return fmt::format("{}x{} king {}", dims_[0], dims_[1], wraps_ ? "torus" : "mesh");
  }
  std::vector<std::pair<std::string, std::string>> facts() const override {
    return {{"diameter and mean distance", "closed forms"},
            {"links across the middle of a dimension, the fewest", std::to_string(narrowest_cut())},
            {"load bound", "from the mean distance and all links, and from that cut"}};
  }
  std::vector<u32> grid() const override { return dims_; }
  RegularPartition regular_partition(u32 parts) const override {
    return {"boxes", box_partition({dims_, wraps_ ? 3U : 0U, false}, parts), true,
            "its dimensions cannot be cut into so many"};
  }

 protected:
  /// Across the middle of a dimension, and in a torus across its border.
  std::vector<Cut> cuts() const override {
    std::vector<Cut> result;
    for (const u32 d : {0U, 1U}) {
      const u64 plane = dims_[1 - d];
      result.push_back({dims_[d] / 2 * plane, wraps_ ? 6 * plane : 3 * plane - 2});
    }
    return result;
  }
  std::string link_name(RouterId, u32 port) const override {
    constexpr const char* names[] = {"x+",           "x-", "y+", "y-", "diagonal+", "diagonal-", "antidiagonal+",
                                     "antidiagonal-"};
    return names[port];
  }

 private:
  static constexpr int steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};  ///< up in a dimension, in x and y

  u32 coordinate(u32 router, u32 d) const { return d == 0 ? router % dims_[0] : router / dims_[0]; }
  i32 offset(NodeId from, NodeId to, u32 d, u64 bits) const {
    const i32 size = static_cast<i32>(dims_[d]);
    i32 up = static_cast<i32>(coordinate(to.value(), d)) - static_cast<i32>(coordinate(from.value(), d));
    if (!wraps_) return up;
    if (up < 0) up += size;
    const bool down = 2 * up > size || (2 * up == size && (bits >> d & 1) != 0);
    return down ? up - size : up;
  }
  u32 farthest(u32 d) const { return wraps_ ? dims_[d] / 2 : dims_[d] - 1; }
  /// Ordered pairs of coordinates so far apart, [hops].
  std::vector<double> pairs_at(u32 d) const {
    std::vector<double> pairs(farthest(d) + 1);
    for (u32 hops = 0; hops < pairs.size(); ++hops) {
      const double k = dims_[d];
      if (wraps_) {
        pairs[hops] = hops == 0 || 2 * hops == dims_[d] ? k : 2 * k;
      } else {
        pairs[hops] = hops == 0 ? k : 2 * (k - hops);
      }
    }
    return pairs;
  }

  std::vector<u32> dims_;
  bool wraps_;
};

std::unique_ptr<Topology> make_king(const Parameters& keys, bool wraps) {
  const std::vector<u32> dims = checked_dims(keys, {2, 2, "a king network"});
  for (const u32 d : {0U, 1U}) {
    if (dims[d] > 1) continue;
    refuse_shape("dims", dims_text(dims), "a king network has at least 2 routers in each dimension",
                 "kind = \"torus\" or \"mesh\"");
  }
  return std::make_unique<King>(dims[0], dims[1], wraps);
}

TopologyKind king_kind(bool wraps) {
  return {.help = wraps ? "torus of two dimensions with both diagonals, eight links a router; key: dims"
                        : "mesh of two dimensions with both diagonals, eight links a router; key: dims",
          .family = "lattice",
          .router = "bubble",
          .partition = "boxes",
          .settings = {dims_row("routers in x and y, e.g. [8, 8].")},
          .make = [wraps](const Parameters& keys) { return make_king(keys, wraps); },
          .example = {{"dims", std::vector<i64>{5, 4}}}};
}

[[maybe_unused]] const bool king_registered = TopologyRegistry::instance().add("king-torus", king_kind(true)) &&
                                              TopologyRegistry::instance().add("king-mesh", king_kind(false));

}  // namespace
}  // namespace weft::models
