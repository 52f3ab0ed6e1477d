// How links are drawn: straight, curved beside others, or as stubs that say in which direction they lead.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "tools/report/figures/network_layout.hpp"

namespace weft::tools {
namespace {

using models::Peer;
using models::Topology;

u8 stub_towards(double dx, double dy) {
  const double turn = std::atan2(dy, dx) / (2 * std::numbers::pi);
  const auto step = static_cast<i64>(std::llround(turn * Bend::directions)) + Bend::directions;
  return static_cast<u8>(Bend::first_stub + step % Bend::directions);
}

/// Stubs of the third dimension and of those above it: off the lines of the plane, up and down opposite.
u8 stub_of_dimension(u32 above, bool up, double aside) {
  constexpr double turns[] = {-0.125, 0.125, -0.0625, 0.1875, -0.1875, 0.0625};
  const double turn = turns[above % std::size(turns)] + (up ? 0 : 0.5) + aside;
  return stub_towards(std::cos(2 * std::numbers::pi * turn), std::sin(2 * std::numbers::pi * turn));
}

/// Bends of one network; `seen` counts links from a router to the same other one.
class Bender {
 public:
  Bender(const Topology& topology, const NetworkLayout& layout)
      : topology_(topology), layout_(layout), last_(topology.routers(), ~0U), copies_(topology.routers(), 0) {
    for (u32 d = 0; d < layout.dims.size(); ++d) {
      if (layout.dims[d] > 1) axes_.push_back(d);
    }
    for (u32 stride = 1; const u32 size : layout.dims) {
      strides_.push_back(stride);
      stride *= size;
    }
  }

  u8 link(u32 router, u32 far) {
    if (last_[far] != router) copies_[far] = 0;
    last_[far] = router;
    const u32 copy = copies_[far]++;
    if (layout_.rule == NetworkLayout::Rule::planes) return in_planes(router, far, copy);
    const double dx = layout_.x[far] - layout_.x[router], dy = layout_.y[far] - layout_.y[router];
    if (layout_.rule == NetworkLayout::Rule::rows && (dx == 0 || dy == 0) && std::abs(dx + dy) > 1.5)
      return static_cast<u8>(1 + copy % Bend::curves);
    return static_cast<u8>(copy <= Bend::curves ? copy : Bend::curves);
  }

  /// The number-th of so many nodes of a router.
  [[nodiscard]] u8 node(u32 router, u32 number, u32 count) const {
    double dx = 0, dy = 1;
    double spread = 0.3;  // turns that the nodes of a router take
    if (layout_.rule == NetworkLayout::Rule::groups || layout_.rule == NetworkLayout::Rule::circle) {
      const auto [x, y] = middle_of(router);
      dx = layout_.x[router] - x;
      dy = layout_.y[router] - y;
      if (dx == 0 && dy == 0) spread = 1;
    } else if (layout_.rule == NetworkLayout::Rule::planes) {
      dx = -1;
      spread = 0.25;
    }
    const double part = count < 2 ? 0 : (number + 0.5) / count - 0.5;
    const double angle = std::atan2(dy, dx) + 2 * std::numbers::pi * spread * part;
    return stub_towards(std::cos(angle), std::sin(angle));
  }

 private:
  [[nodiscard]] u32 coordinate(u32 router, u32 d) const { return router / strides_[d] % layout_.dims[d]; }

  /// What a router looks away from.
  [[nodiscard]] std::pair<double, double> middle_of(u32 router) const {
    if (layout_.rule != NetworkLayout::Rule::groups) return {0, 0};
    const LayoutFrame& frame = layout_.frames[layout_.part[router]];
    return {frame.x + frame.width / 2, frame.y + frame.height / 2};
  }

  u8 in_planes(u32 router, u32 far, u32 copy) const {
    for (std::size_t a = axes_.size(); a-- > 2;) {
      const u32 size = layout_.dims[axes_[a]], from = coordinate(router, axes_[a]), to = coordinate(far, axes_[a]);
      if (from == to) continue;
      const u32 up = (to + size - from) % size, above = static_cast<u32>(a) - 2;
      if (!layout_.complete) return stub_of_dimension(above, size == 2 ? copy == 0 : up <= size / 2, 0);
      return stub_of_dimension(above, to > from, 0.1 * (to > from ? to - from : from - to) / size);
    }
    const double dx = layout_.x[far] - layout_.x[router], dy = layout_.y[far] - layout_.y[router];
    if (std::hypot(dx, dy) < 1.5) return static_cast<u8>(std::min<u32>(copy, Bend::curves));
    if (layout_.complete) return static_cast<u8>(1 + copy % Bend::curves);
    // Round a ring: out of the plane, on the side where the router is.
    const double out_x = at_border(router, far, axes_[0]), out_y = at_border(router, far, axes_[1]);
    if (out_x == 0 && out_y == 0) return stub_towards(dx, dy);
    return stub_towards(out_x, out_y);
  }

  /// Whether a link leads over the border of a dimension: 1 at its upper end, -1 at its lower one, else 0.
  [[nodiscard]] double at_border(u32 router, u32 far, u32 d) const {
    const u32 size = layout_.dims[d], from = coordinate(router, d), to = coordinate(far, d);
    if (from == size - 1 && to == 0) return 1;
    return from == 0 && to == size - 1 ? -1 : 0;
  }

  const Topology& topology_;
  const NetworkLayout& layout_;
  std::vector<u32> axes_, strides_;
  std::vector<u32> last_, copies_;  ///< [far router]: who asked last, and how often
};

}  // namespace

std::vector<u8> bends_of(const Topology& topology, const NetworkLayout& layout) {
  const u32 routers = topology.routers();
  Bender bender(topology, layout);
  std::vector<u8> bends;
  std::vector<u64> first(routers);
  for (u32 r = 0; r < routers; ++r) {
    first[r] = bends.size();
    const u32 ports = topology.ports(RouterId(r));
    u32 nodes = 0, node = 0;
    for (u32 port = 0; port < ports; ++port) nodes += topology.peer(RouterId(r), port).kind == Peer::Kind::node ? 1 : 0;
    for (u32 port = 0; port < ports; ++port) {
      const Peer peer = topology.peer(RouterId(r), port);
      u8 bend = Bend::silent;
      if (peer.kind == Peer::Kind::node) {
        bend = bender.node(r, node++, nodes);
      } else if (peer.kind == Peer::Kind::router) {
        bend = bender.link(r, peer.id);
        // Both halves of a link are one curve.
        if (peer.id < r && bend < Bend::first_stub) {
          const u8 other = bends[first[peer.id] + peer.port];
          if (other < Bend::first_stub) bend = other;
        }
        if (!topology.carries(RouterId(r), port)) bend = Bend::silent;
      }
      bends.push_back(bend);
    }
  }
  return bends;
}

}  // namespace weft::tools
