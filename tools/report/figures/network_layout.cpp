// Places of routers by what a topology says of itself: its grid, its groups, its wiring.
#include "tools/report/figures/network_layout.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <numeric>

#include "models/topology/kind/hyperx.hpp"
#include "models/topology/kind/indirect_cube.hpp"

namespace weft::tools {
namespace {

using models::Peer;
using models::Topology;

constexpr double pi = std::numbers::pi;
constexpr u32 most_on_circle = 600, most_groups_on_circle = 160, most_in_row = 256;
constexpr u32 none = ~0U;

/// The network without its faults and without its other planes.
const Topology& shape_of(const Topology& topology) { return topology.whole().plane(); }

/// Routers in each dimension, or nothing.
std::vector<u32> router_grid(const Topology& shape) {
  if (const auto* const hyperx = dynamic_cast<const models::HyperX*>(&shape)) {
    std::vector<u32> dims;
    for (u32 d = 0; d < hyperx->dimensions(); ++d) dims.push_back(hyperx->size(d));
    return dims;
  }
  if (const auto* const cube = dynamic_cast<const models::IndirectCube*>(&shape)) return cube->dims();
  return shape.direct() ? shape.grid() : std::vector<u32>{};
}

u64 product(const std::vector<u32>& dims) {
  return std::accumulate(dims.begin(), dims.end(), u64{1}, [](u64 all, u32 size) { return all * size; });
}

/// A grid of tiles of so many columns that all of it is about 16 : 9.
u32 tile_columns(u32 tiles, double width, double height) {
  u32 best = 1;
  double nearest = 1e30;
  for (u32 columns = 1; columns <= std::min(tiles, 4096U); ++columns) {
    const u32 rows = (tiles + columns - 1) / columns;
    const double off = std::abs(std::log(columns * width / (rows * height) / (16.0 / 9)));
    const double gaps = static_cast<double>(columns) * rows / tiles;  // rather no tiles that are left empty
    if (off + (gaps - 1) < nearest) {
      nearest = off + (gaps - 1);
      best = columns;
    }
  }
  return best;
}

/// "dimension 2 = 3", "dimensions 2, 3 = 1, 0".
std::string plane_label(const std::vector<u32>& dims, const std::vector<u32>& axes, u32 plane) {
  std::string names, values;
  for (std::size_t a = 2; a < axes.size(); ++a) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", axes[a]);
    values += fmt::format("{}{}", values.empty() ? "" : ", ", plane % dims[axes[a]]);
    plane /= dims[axes[a]];
  }
  if (names.empty()) return "";
  return fmt::format("dimension{} {} = {}", axes.size() > 3 ? "s" : "", names, values);
}

void draw_planes(const Topology& topology, NetworkLayout& out) {
  const u32 routers = topology.routers(), copies = routers / static_cast<u32>(product(out.dims));
  std::vector<u32> axes;
  for (u32 d = 0; d < out.dims.size(); ++d) {
    if (out.dims[d] > 1) axes.push_back(d);
  }
  const u32 width = out.dims[axes[0]], height = out.dims[axes[1]], planes = routers / copies / (width * height);
  // Far enough apart to be told from each other where routers are tiles.
  const double across = width * 1.05 + 1.6, down = height * 1.05 + 2.2;
  // Two further dimensions are rows and columns of planes by themselves.
  const u32 columns = axes.size() == 4 ? out.dims[axes[2]] : tile_columns(planes, across, down);
  const u32 rows = (planes + columns - 1) / columns;
  const double copy_down = rows * down + 1.5;
  std::vector<u32> strides;
  for (u32 stride = 1; const u32 size : out.dims) {
    strides.push_back(stride);
    stride *= size;
  }
  for (u32 r = 0; r < routers; ++r) {
    const u32 copy = r / (routers / copies), at = r % (routers / copies);
    u32 plane = 0, unit = 1;
    for (std::size_t a = 2; a < axes.size(); ++a) {
      plane += at / strides[axes[a]] % out.dims[axes[a]] * unit;
      unit *= out.dims[axes[a]];
    }
    out.x[r] = static_cast<float>(plane % columns * across + at / strides[axes[0]] % width);
    out.y[r] = static_cast<float>(copy * copy_down + plane / columns * down + at / strides[axes[1]] % height);
  }
  for (u32 copy = 0; copy < copies; ++copy) {
    for (u32 plane = 0; plane < planes; ++plane) {
      std::string label = plane_label(out.dims, axes, plane);
      if (copies > 1) label = fmt::format("plane {}{}{}", copy, label.empty() ? "" : ": ", label);
      const float left = static_cast<float>(plane % columns * across - 0.65);
      const float top = static_cast<float>(copy * copy_down + plane / columns * down - 0.65);
      out.frames.push_back({left, top, width + 0.3F, height + 0.3F, false, std::move(label), left, top});
    }
  }
}

/// Calls f(port, far router) for each link of a router to another.
template <class F>
void each_neighbour(const Topology& topology, u32 router, F&& f) {
  for (u32 port = 0; port < topology.ports(RouterId(router)); ++port) {
    const Peer peer = topology.peer(RouterId(router), port);
    if (peer.kind == Peer::Kind::router) f(port, peer.id);
  }
}

bool has_nodes(const Topology& topology, u32 router) {
  for (u32 port = 0; port < topology.ports(RouterId(router)); ++port) {
    if (topology.peer(RouterId(router), port).kind == Peer::Kind::node) return true;
  }
  return false;
}

/// Links to the nearest router with nodes, [router]; empty unless every link leads from a level to the next.
std::vector<u32> levels_of(const Topology& topology) {
  std::vector<u32> levels(topology.routers(), none), queue;
  for (u32 r = 0; r < topology.routers(); ++r) {
    if (!has_nodes(topology, r)) continue;
    levels[r] = 0;
    queue.push_back(r);
  }
  if (queue.size() == topology.routers()) return {};
  for (std::size_t at = 0; at < queue.size(); ++at) {
    each_neighbour(topology, queue[at], [&](u32, u32 far) {
      if (levels[far] != none) return;
      levels[far] = levels[queue[at]] + 1;
      queue.push_back(far);
    });
  }
  if (queue.size() < topology.routers()) return {};
  bool tree = true;
  for (u32 r = 0; r < topology.routers() && tree; ++r)
    each_neighbour(topology, r, [&](u32, u32 far) { tree = tree && levels[far] != levels[r]; });
  return tree ? levels : std::vector<u32>{};
}

void draw_levels(const Topology& topology, NetworkLayout& out) {
  std::vector<std::vector<u32>> rows(*std::ranges::max_element(out.part) + 1);
  for (u32 r = 0; r < topology.routers(); ++r) rows[out.part[r]].push_back(r);
  std::size_t most = 0;
  for (const auto& row : rows) most = std::max(most, row.size());
  const double width =
      std::max(8.0, most <= most_in_row ? static_cast<double>(most)
                                        : std::max(1.0 * most_in_row, std::sqrt(2.2 * static_cast<double>(most))));
  const double gap = std::max(1.8, 0.42 * width / static_cast<double>(std::max<std::size_t>(rows.size() - 1, 1)));
  double bottom = 0;
  for (std::size_t level = 0; level < rows.size(); ++level) {
    std::vector<u32>& row = rows[level];
    // Above the switches below, where the order by number does not say so.
    std::vector<double> over(level == 0 ? 0 : topology.routers(), 0);
    if (level > 0) {
      for (const u32 r : row) {
        u32 below = 0;
        each_neighbour(topology, r, [&](u32, u32 far) {
          if (out.part[far] + 1 != level) return;
          over[r] += out.x[far];
          ++below;
        });
        if (below > 0) over[r] = std::round(over[r] / below * 16);
      }
      std::ranges::stable_sort(row, {}, [&](u32 r) { return over[r]; });
    }
    const std::size_t stacked = static_cast<std::size_t>(std::ceil(static_cast<double>(row.size()) / width));
    const std::size_t columns = (row.size() + stacked - 1) / stacked;
    const double step = width / static_cast<double>(columns), height = 1.2 * static_cast<double>(stacked - 1);
    for (std::size_t ix = 0; ix < row.size(); ++ix) {
      out.x[row[ix]] = static_cast<float>((static_cast<double>(ix / stacked) + 0.5) * step);
      out.y[row[ix]] = static_cast<float>(bottom - 1.2 * static_cast<double>(ix % stacked));
    }
    const float top = static_cast<float>(bottom - height - 0.65);
    out.frames.push_back({-0.6F, top, static_cast<float>(width + 1.2), static_cast<float>(height + 1.3), false,
                          fmt::format("level {}: {} {}", level, row.size(), row.size() == 1 ? "router" : "routers"),
                          -0.6F, top});
    bottom -= height + gap;
  }
}

/// Groups of routers by the groups of their nodes; those without nodes are in that of their first neighbour that is in
/// one. Empty where a group is one router or all are in one.
std::vector<u32> groups_of(const Topology& topology) {
  const Topology& shape = shape_of(topology);
  const u32 group_nodes = shape.group_nodes();
  if (group_nodes == 0 || group_nodes >= shape.nodes() || topology.direct()) return {};
  std::vector<u32> groups(topology.routers(), none);
  for (u32 n = 0; n < topology.nodes(); ++n) groups[topology.router_of(NodeId(n)).value()] = n / group_nodes;
  std::vector<u32> with_nodes = groups;
  for (u32 r = 0; r < topology.routers(); ++r) {
    if (groups[r] != none) continue;
    each_neighbour(topology.whole(), r, [&](u32, u32 far) {
      if (groups[r] == none) groups[r] = with_nodes[far];
    });
    if (groups[r] == none) return {};
  }
  if (topology.nodes() / group_nodes == topology.routers()) return {};
  return groups;
}

void draw_groups(const Topology& topology, NetworkLayout& out) {
  std::vector<std::vector<u32>> groups(*std::ranges::max_element(out.part) + 1);
  for (u32 r = 0; r < topology.routers(); ++r) groups[out.part[r]].push_back(r);
  std::size_t most = 1;
  for (const auto& group : groups) most = std::max(most, group.size());
  const double radius = std::max(0.8, 1.15 * static_cast<double>(most) / (2 * pi)), across = 2 * radius + 2.4;
  const double count = static_cast<double>(groups.size());
  const double ring = std::max(across, count * across / (2 * pi));
  const u32 columns = tile_columns(static_cast<u32>(groups.size()), 1, 1);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const double outwards = 2 * pi * static_cast<double>(g) / count - pi / 2;
    const bool on_circle = groups.size() <= most_groups_on_circle;
    const double x = on_circle ? ring * std::cos(outwards) : static_cast<double>(g % columns) * across;
    const double y = on_circle ? ring * std::sin(outwards) : static_cast<double>(g / columns) * across;
    const double routers = static_cast<double>(groups[g].size());
    double leaves = 0;
    for (const u32 r : groups[g]) leaves += has_nodes(topology.whole(), r) ? 1 : 0;
    // Routers with nodes look outwards, those without to the other groups.
    for (std::size_t ix = 0; ix < groups[g].size(); ++ix) {
      const double angle =
          (on_circle ? outwards : -pi / 2) + (static_cast<double>(ix) - (leaves - 1) / 2) * 2 * pi / routers;
      const double out_by = groups[g].size() == 1 ? 0 : radius;
      out.x[groups[g][ix]] = static_cast<float>(x + out_by * std::cos(angle));
      out.y[groups[g][ix]] = static_cast<float>(y + out_by * std::sin(angle));
    }
    const float side = static_cast<float>(2 * radius + 1.5);
    const double beside = radius + 1.35;
    out.frames.push_back({static_cast<float>(x) - side / 2, static_cast<float>(y) - side / 2, side, side, true,
                          fmt::format("group {}", g),
                          static_cast<float>(x + (on_circle ? 1.25 * beside * std::cos(outwards) : 0)),
                          static_cast<float>(y + (on_circle ? beside * std::sin(outwards) : -beside))});
  }
}

void draw_circle(u32 routers, NetworkLayout& out) {
  const double radius = std::max(1.0, 1.05 * routers / (2 * pi));
  for (u32 r = 0; r < routers; ++r) {
    out.x[r] = static_cast<float>(routers == 1 ? 0 : radius * std::cos(2 * pi * r / routers - pi / 2));
    out.y[r] = static_cast<float>(routers == 1 ? 0 : radius * std::sin(2 * pi * r / routers - pi / 2));
  }
}

}  // namespace

const char* name_of(NetworkLayout::Rule rule) {
  constexpr const char* names[] = {"planes", "levels", "groups", "circle", "rows"};
  return names[static_cast<u8>(rule)];
}

NetworkLayout layout_of(const Topology& topology) {
  NetworkLayout out;
  const Topology& shape = shape_of(topology);
  const u32 routers = topology.routers();
  out.x.resize(routers);
  out.y.resize(routers);
  std::vector<u32> dims = router_grid(shape);
  const auto long_dims = std::ranges::count_if(dims, [](u32 size) { return size > 1; });
  if (long_dims >= 2 && product(dims) == shape.routers()) {
    out.rule = NetworkLayout::Rule::planes;
    out.dims = std::move(dims);
    out.complete = dynamic_cast<const models::HyperX*>(&shape) != nullptr;
    draw_planes(topology, out);
    return out;
  }
  if (out.part = levels_of(topology.whole()); !out.part.empty()) {
    out.rule = NetworkLayout::Rule::levels;
    draw_levels(topology.whole(), out);
    return out;
  }
  if (out.part = groups_of(topology); !out.part.empty()) {
    out.rule = NetworkLayout::Rule::groups;
    draw_groups(topology, out);
    return out;
  }
  if (routers <= most_on_circle) {
    out.rule = NetworkLayout::Rule::circle;
    draw_circle(routers, out);
    return out;
  }
  const u32 columns = tile_columns(routers, 1, 1);
  for (u32 r = 0; r < routers; ++r) {
    out.x[r] = static_cast<float>(r % columns);
    out.y[r] = static_cast<float>(r / columns);
  }
  return out;
}

}  // namespace weft::tools
