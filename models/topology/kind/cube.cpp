// Meshes and tori of any number of dimensions (k-ary n-cubes), and tori open in some of them: routers on a grid, each
// of them a node.
#include <algorithm>
#include <fmt/format.h>

#include "engine/base/nearest.hpp"
#include "models/topology/boxes.hpp"
#include "models/topology/grid.hpp"
#include "models/topology/shape_check.hpp"
#include "models/topology/shapes_near.hpp"

namespace weft::models {
namespace {

constexpr u64 max_cube_nodes = u64{1} << 31;
constexpr std::size_t max_dimensions = 16;

class Cube final : public Grid {
 public:
  /// `rings`, `one_way`: as of CubeGeometry.
  Cube(const std::vector<i64>& dims, u32 rings, bool one_way) {
    geometry_.rings = rings;
    geometry_.one_way = one_way;
    for (const i64 dim : dims) {
      geometry_.dims.push_back(static_cast<u32>(dim));
      strides_.push_back(nodes_);
      nodes_ *= static_cast<u32>(dim);
    }
  }

  u32 nodes() const override { return nodes_; }

  Peer peer(RouterId router, u32 port) const override {
    const u32 d = port / 2;
    WEFT_ASSERT(router.value() < nodes_ && d < strides_.size());
    const bool goes_up = port % 2 == 0;
    const u32 k = geometry_.dims[d];
    const u32 at = coordinate(router.value(), d);
    const bool wraps_here = at == (goes_up ? k - 1 : 0);
    if (k == 1 || (wraps_here && !geometry_.wraps(d))) return {};
    const u32 to = wraps_here ? (goes_up ? 0 : k - 1) : (goes_up ? at + 1 : at - 1);
    return {Peer::Kind::router, router.value() - at * strides_[d] + to * strides_[d], port ^ 1U};
  }

  bool carries(RouterId, u32 port) const override { return !geometry_.one_way || port % 2 == 0; }
  bool one_way() const override { return geometry_.one_way; }
  /// Almost half way round every ring in the same direction (tornado); round one-way rings all the way to the node
  /// behind; of lines the mirror image, across their middle.
  std::optional<NodeRange> worst_case(NodeId from) const override {
    u32 to = 0;
    for (u32 d = 0; d < strides_.size(); ++d) {
      const u32 size = geometry_.dims[d];
      const u32 at = coordinate(from.value(), d);
      const u32 round = geometry_.one_way ? size - 1 : (size + 1) / 2 - 1;
      to += (geometry_.wraps(d) ? (at + round) % size : size - 1 - at) * strides_[d];
    }
    return NodeRange{to, 1};
  }
  u32 dimensions() const override { return static_cast<u32>(strides_.size()); }
  Record record(NodeId from, NodeId to, u64 bits) const override {
    Record hops{};
    for (u32 d = 0; d < strides_.size(); ++d) {
      const i32 size = static_cast<i32>(geometry_.dims[d]);
      i32 up = static_cast<i32>(coordinate(to.value(), d)) - static_cast<i32>(coordinate(from.value(), d));
      if (geometry_.wraps(d)) {
        if (up < 0) up += size;
        const i32 down = size - up;
        if (!geometry_.one_way && up != 0 && (down < up || (down == up && (bits >> (d % 8) & 1) != 0))) up = -down;
      }
      hops[d] = up;
    }
    return hops;
  }
  u32 longest_record() const override { return *std::ranges::max_element(geometry_.dims); }
  bool crosses_border(RouterId router, u32 port) const override {
    const u32 d = port / 2;
    return geometry_.wraps(d) && coordinate(router.value(), d) == (port % 2 == 0 ? geometry_.dims[d] - 1 : 0);
  }

  u32 distance(NodeId from, NodeId to) const override {
    u32 hops = 0;
    for (u32 d = 0; d < strides_.size(); ++d) {
      const u32 a = coordinate(from.value(), d), b = coordinate(to.value(), d);
      const u32 straight = a < b ? b - a : a - b;
      if (geometry_.one_way) {
        hops += a <= b ? b - a : geometry_.dims[d] - straight;
        continue;
      }
      hops += geometry_.wraps(d) ? std::min(straight, geometry_.dims[d] - straight) : straight;
    }
    return hops;
  }

  u32 diameter() const override {
    u32 hops = 0;
    for (u32 d = 0; d < dimensions(); ++d) {
      const u32 k = geometry_.dims[d];
      hops += geometry_.wraps(d) && !geometry_.one_way ? k / 2 : k - 1;
    }
    return hops;
  }

  double mean_distance() const override {
    double hops = 0;
    for (u32 d = 0; d < dimensions(); ++d) hops += mean_offset(d);
    return hops * different_pairs();
  }

  /// Torus: all 2N unidirectional links of a dimension are alike and share N * (mean offset) link traversals per cycle
  /// at load 1. Mesh: the middle links of a row of k carry floor(k/2) * ceil(k/2) / k times the load. Both by the
  /// channel load of Dally and Towles, Principles and Practices of Interconnection Networks, 2004.
  double uniform_load_bound() const override {
    double bound = 1.0;
    for (u32 d = 0; d < dimensions(); ++d) {
      const u32 k = geometry_.dims[d];
      if (k == 1) continue;
      const double load = geometry_.one_way    ? mean_offset(d)
                          : geometry_.wraps(d) ? mean_offset(d) / 2
                                               : static_cast<double>(k / 2) * (k - k / 2) / k;
      bound = std::min(bound, 1.0 / (load * different_pairs()));
    }
    return bound;
  }

  u64 router_links() const override {
    u64 links = 0;
    for (u32 d = 0; d < dimensions(); ++d) {
      const u32 k = geometry_.dims[d];
      if (k > 1) links += u64{nodes_ / k} * (geometry_.wraps(d) ? k : k - 1);
    }
    return links;
  }

  std::string name() const override {
    if (geometry_.dims.size() == 1)
      return one_way_text() + std::to_string(nodes_) + (geometry_.rings != 0 ? "-node ring" : "-node line");
    std::string text;
    for (const u32 k : geometry_.dims) text += (text.empty() ? "" : "x") + std::to_string(k);
    return one_way_text() + text + (geometry_.rings != 0 ? " torus" : " mesh") + open_text();
  }

  std::vector<std::pair<std::string, std::string>> facts() const override {
    u32 longest = 0;  // of several an open one, with fewer links
    for (u32 d = 1; d < dimensions(); ++d) {
      const u32 k = geometry_.dims[d], most = geometry_.dims[longest];
      if (k > most || (k == most && geometry_.wraps(longest))) longest = d;
    }
    const u64 cut = u64{nodes_ / geometry_.dims[longest]} * (geometry_.wraps(longest) ? 2 : 1);
    return {{"dimensions", std::to_string(geometry_.dims.size())},
            {"links across the middle of the longest dimension", std::to_string(cut)}};
  }

  std::vector<u32> grid() const override { return geometry_.dims; }
  std::string link_name(RouterId, u32 port) const override {
    return fmt::format("dimension {}{}", port / 2, port % 2 == 0 ? "+" : "-");
  }
  const CubeGeometry& geometry() const override { return geometry_; }
  RegularPartition regular_partition(u32 parts) const override {
    return {"boxes", box_partition(geometry_, parts), true, "its dimensions cannot be cut into so many"};
  }

 private:
  std::string one_way_text() const { return geometry_.one_way ? "unidirectional " : ""; }
  /// " open in dimensions 3, 5", of a torus that is.
  std::string open_text() const {
    std::string text;
    for (u32 d = 0; d < dimensions(); ++d) {
      if (!geometry_.wraps(d)) text += (text.empty() ? "" : ", ") + std::to_string(d);
    }
    return geometry_.rings == 0 || text.empty() ? "" : " open in dimensions " + text;
  }
  u32 coordinate(u32 router, u32 d) const { return router / strides_[d] % geometry_.dims[d]; }

  /// Mean distance in one dimension over all ordered pairs of coordinates, equal ones included.
  double mean_offset(u32 d) const {
    const u32 k = geometry_.dims[d];
    const double size = k;
    if (geometry_.one_way) return (size - 1) / 2;
    if (!geometry_.wraps(d)) return (size * size - 1) / (3 * size);
    return k % 2 == 0 ? size / 4 : (size * size - 1) / (4 * size);
  }

  /// Turns a mean over all ordered pairs of nodes into the mean over pairs of different nodes.
  double different_pairs() const { return static_cast<double>(nodes_) / (static_cast<double>(nodes_) - 1); }

  CubeGeometry geometry_;
  std::vector<u32> strides_;  ///< id difference of neighbours, [dimension]
  u32 nodes_ = 1;
};

/// The valid shape nearest to `dims`; equal to it if it is valid.
std::vector<i64> nearest_dims(std::vector<i64> dims) {
  if (dims.size() > max_dimensions) std::erase(dims, 1);  // they change nothing but the number of dimensions
  if (dims.size() > max_dimensions) dims.resize(max_dimensions);
  if (dims.empty()) dims = {1};
  dims = nearest_factors(std::move(dims), max_cube_nodes);
  if (product_up_to(dims, max_cube_nodes) < 2) dims[0] = 2;
  return dims;
}

std::string reason_against(const std::vector<i64>& dims) {
  if (dims.size() > max_dimensions) return fmt::format("{} dimensions, at most 16 are possible", dims.size());
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if (dims[d] >= 1) continue;
    return fmt::format("dimension {} has {} routers, at least 1 is needed", d, dims[d]);
  }
  const bool too_many = product_up_to(dims, max_cube_nodes) > max_cube_nodes;
  return too_many ? "more than 2147483648 nodes" : "a network has at least 2 nodes";
}

/// The dimensions that are rings, CubeGeometry::rings; of those that are there.
u32 rings_of(const Parameters& keys, const std::string& kind, u32 dimensions) {
  u32 rings = kind == "torus" ? (1U << dimensions) - 1 : 0;
  const std::vector<i64> open = keys.has("open_dims") ? keys.integers("open_dims") : std::vector<i64>{};
  if (open.empty()) return rings;
  if (kind != "torus") {
    refuse_shape("open_dims", list_text(open), "all dimensions of a mesh are open", "kind = \"torus\"");
  }
  if (keys.flag("unidirectional")) {
    refuse_shape("open_dims", list_text(open), "with unidirectional = true nobody could go back",
                 "unidirectional = false");
  }
  for (const i64 d : open) {
    if (d < 0 || d >= dimensions) {
      refuse_shape("open_dims", list_text(open), fmt::format("there is no dimension {}", d),
                   fmt::format("numbers from 0 to {}", dimensions - 1));
    }
    rings &= ~(1U << d);
  }
  return rings;
}

std::unique_ptr<Topology> make_cube(const Parameters& keys, const std::string& kind) {
  const std::vector<i64> dims = keys.integers("dims");
  if (dims.empty()) {
    throw ConfigError("topology.dims is missing or empty (a " + kind +
                      " needs the number of routers in each dimension); use e.g. dims = [8, 8]");
  }
  const std::vector<i64> valid = nearest_dims(dims);
  if (valid != dims) {
    throw ConfigError("topology.dims = " + list_text(dims) + " is not possible (" + reason_against(dims) +
                      "); use dims = " + list_text(valid));
  }
  const bool one_way = keys.flag("unidirectional");
  if (one_way && kind == "mesh") {
    throw ConfigError(
        "topology.unidirectional = true is not possible (in a mesh nobody could go back); use kind = "
        "\"torus\"");
  }
  const u32 rings = rings_of(keys, kind, static_cast<u32>(dims.size()));
  return std::make_unique<Cube>(dims, rings, one_way);
}

TopologyKind cube_kind(const std::string& kind, const std::string& help) {
  constexpr i64 most_nodes = 1 << 30;
  return {.help = help,
          .family = "grid",
          .router = "bubble",
          .partition = "boxes",
          .settings = {row::integers("topology.dims", "routers", {1, most_nodes},
                                     "routers in each dimension, e.g. [8, 8]."),
                       unidirectional_row(),
                       row::integers("topology.open_dims", "", {0, max_dimensions - 1},
                                     "dimensions of a torus, counted from 0, that are lines instead of rings.")},
          .make = [kind](const Parameters& keys) { return make_cube(keys, kind); },
          .example = {{"dims", std::vector<i64>{4, 3, 2}}}};
}

[[maybe_unused]] const bool cube_registered =
    TopologyRegistry::instance().add("mesh",
                                     cube_kind("mesh", "grid of routers without wrap-around links; key: dims")) &&
    TopologyRegistry::instance().add("torus",
                                     cube_kind("torus",
                                               "grid of routers, a ring in each dimension but topology.open_dims; key: "
                                               "dims"));

/// Sides as equal as they can be, in 2 to 6 dimensions.
std::vector<Parameters> cubes_near(const SizeWish& wish) {
  std::vector<Parameters> shapes;
  for (u32 dimensions = 2; dimensions <= 6; ++dimensions) {
    const i64 side = static_cast<i64>(std::floor(std::pow(wish.nodes, 1.0 / dimensions) + 1e-9));
    if (side < 2) break;
    for (u32 longer = 0; longer <= dimensions; ++longer) {
      std::vector<i64> dims(dimensions, side);
      for (u32 d = 0; d < longer; ++d) ++dims[d];
      shapes.push_back({{"dims", dims}});
    }
  }
  return shapes;
}

[[maybe_unused]] const bool cubes_near_registered =
    add_shapes_near("mesh", cubes_near) && add_shapes_near("torus", cubes_near);

}  // namespace

const CubeGeometry& grid_geometry(const Topology& topology) {
  const auto* const grid = dynamic_cast<const Grid*>(&topology.whole());
  WEFT_ASSERT(grid != nullptr);
  return grid->geometry();
}

}  // namespace weft::models
