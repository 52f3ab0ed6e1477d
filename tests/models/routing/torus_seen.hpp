// Coordinates of routes through meshes and tori, worked out anew: router = x + x_size * (y + y_size * z), port 2d up,
// 2d + 1 down.
#pragma once

#include <algorithm>
#include <cstdlib>

#include "tests/models/routing/routes_seen.hpp"

namespace weft::models::testing {

/// A torus, or the switches of an indirect cube with `links` parallel links.
struct TorusSeen {
  std::vector<u32> dims;
  u32 links = 1;

  [[nodiscard]] u32 coordinate(u32 router, u32 d) const {
    for (u32 k = 0; k < d; ++k) router /= dims[k];
    return router % dims[d];
  }
  [[nodiscard]] u32 dimension(const Hop& hop) const { return hop.port / links / 2; }
  [[nodiscard]] bool down(const Hop& hop) const { return hop.port / links % 2 == 1; }
  [[nodiscard]] u32 link(const Hop& hop) const { return hop.port % links; }
  [[nodiscard]] bool crosses_border(const Hop& hop) const {
    const u32 d = dimension(hop), there = coordinate(hop.next, d);
    return down(hop) ? there == dims[d] - 1 && dims[d] > 1 && coordinate(hop.at, d) == 0 : there == 0;
  }
  /// Whether two hops are in one ring and in one direction of it; rings of a route in one dimension are one.
  [[nodiscard]] bool same_ring(const Hop& a, const Hop& b) const { return a.port / links == b.port / links; }
  /// Whether the route still crosses the border of hop k's ring, by this hop or later.
  [[nodiscard]] bool will_cross(const std::vector<Hop>& hops, std::size_t k) const {
    return std::any_of(hops.begin() + static_cast<std::ptrdiff_t>(k), hops.end(),
                       [&](const Hop& hop) { return same_ring(hop, hops[k]) && crosses_border(hop); });
  }
  /// Whether at hop k all dimensions that come earlier in an order are done.
  [[nodiscard]] bool in_order(const std::vector<Hop>& hops, std::size_t k, const std::vector<u32>& order) const {
    const auto rank = [&](const Hop& hop) { return std::ranges::find(order, dimension(hop)) - order.begin(); };
    return std::all_of(hops.begin() + static_cast<std::ptrdiff_t>(k), hops.end(),
                       [&](const Hop& hop) { return rank(hop) >= rank(hops[k]); });
  }
  [[nodiscard]] std::vector<u32> ascending() const {
    std::vector<u32> order;
    for (u32 d = 0; d < dims.size(); ++d) order.push_back(d);
    return order;
  }
  /// As many hops as the shortest path has, each to a neighbour.
  [[nodiscard]] std::string shortest(const RouteSeen& route, const std::vector<Hop>& hops, bool torus = true) const {
    for (const Hop& hop : hops) {
      for (u32 d = 0; d < dims.size(); ++d) {
        const u32 step = d != dimension(hop) ? 0 : down(hop) ? dims[d] - 1 : 1;
        if ((coordinate(hop.at, d) + step) % dims[d] != coordinate(hop.next, d)) return "no neighbour";
      }
    }
    for (u32 d = 0; d < dims.size(); ++d) {
      const u32 up = (coordinate(route.to, d) + dims[d] - coordinate(route.from, d)) % dims[d];
      const i64 straight = std::abs(i64{coordinate(route.to, d)} - i64{coordinate(route.from, d)});
      const i64 least = torus ? std::min<i64>(up, dims[d] - up) : straight;
      if (std::ranges::count_if(hops, [&](const Hop& hop) { return dimension(hop) == d; }) != least) {
        return "not the shortest path in dimension " + std::to_string(d);
      }
    }
    return {};
  }

  /// A rule for each hop of routes that are the shortest.
  [[nodiscard]] Rule each(std::function<bool(const std::vector<Hop>&, std::size_t)> allowed) const {
    return [*this, allowed](const RouteSeen& route) -> std::string {
      if (const std::string what = shortest(route, route.hops); !what.empty()) return what;
      for (std::size_t k = 0; k < route.hops.size(); ++k) {
        if (!allowed(route.hops, k)) return "hop " + std::to_string(k) + " is in a channel that it may not take";
      }
      return {};
    };
  }
};

/// The tori that the tests of channels run on.
inline const TorusSeen torus_5_6{{5, 6}}, torus_4_3_5{{4, 3, 5}};

inline TopologySpec spec(const TorusSeen& seen) { return torus({seen.dims.begin(), seen.dims.end()}); }

}  // namespace weft::models::testing
