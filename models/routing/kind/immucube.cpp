// Routers of tori and meshes that go round failures the other way along the ring of a dimension, and over a ring
// through the whole network only where that does not lead on.
#include <array>
#include <memory>
#include <vector>

#include "models/routing/recovery/ring_routing.hpp"
#include "models/topology/grid.hpp"

namespace weft::models {
namespace {

/// After V. Puente, J.A. Gregorio, "Immucube: scalable fault-tolerant routing for k-ary n-cube networks", IEEE Trans.
/// Parallel and Distributed Systems 18(6), 2007, which keeps the performance of large networks where Immunet's one ring
/// for all does not. How packets go round a failure is ours (docs/recovery.md).
///
/// RouteState: `low` random bits that say which way round of two that are equally long, `high` hops on adaptive
/// channels. Channel 0: order of dimensions, in each the shorter way along the row that leads to the coordinate. In a
/// row that is a whole ring this takes free space for two packets to enter; a ring that is broken is a line, where no
/// packets wait in a circle. Channel 1: the ring through all routers, for packets that order of dimensions leads
/// nowhere; they stay on it. Higher channels are adaptive: the same way in any dimension.
class Immucube final : public RingRouting {
 public:
  Immucube(const Topology& topology, const RouterSettings& settings)
      : RingRouting(topology, settings), grid_(grid_geometry(topology)) {
    for (const u32 dim : grid_.dims) {
      strides_.push_back(strides_.empty() ? 1 : strides_.back() * grid_.dims[strides_.size() - 1]);
      most_hops_ += 4 * dim;
    }
    make(topology);
  }

  void begin(RouteState& state, NodeId /*from*/, NodeId /*to*/, u64 bits) const override {
    state.low = static_cast<u32>(bits >> 32 ^ bits);
  }

  Verdict route(const QueuePlace& at, const PacketOnRoute& packet, Candidates& candidates) const override {
    const u32 to = packet.to.value();
    if (to == at.router) return Verdict::arrived;
    if (!ring().joins(at.router, to)) return Verdict::dropped;
    add_escape(at, to, packet.state.low, candidates);
    if (packet.state.high >= most_hops_) return Verdict::waits;
    for (u32 d = 0; d < grid_.dims.size(); ++d) {
      const u32 port = port_along(at.router, to, d, packet.state.low);
      if (port < arrived) candidates.outputs.add_range(port * channels() + 2, channels() - 2);
    }
    return Verdict::waits;
  }

  void leave(RouteState& state, const QueuePlace& /*at*/, u32 /*port*/, u32 channel) const override {
    if (channel >= 2) ++state.high;
  }

 private:
  static constexpr u32 arrived = 0xfffe, no_way = 0xffff;

  [[nodiscard]] u32 coordinate(u32 router, u32 d) const { return router / strides_[d] % grid_.dims[d]; }

  /// The port of a dimension that leads along the row to the coordinate of `to`: the shorter way if both do.
  [[nodiscard]] u32 port_along(u32 router, u32 to, u32 d, u32 bits) const {
    const u32 size = grid_.dims[d];
    const u32 up = (coordinate(to, d) + size - coordinate(router, d)) % size, down = size - up;
    if (up == 0) return arrived;
    const u16* const run = runs_.data() + (u64{router} * grid_.dims.size() + d) * 2;
    const bool goes_up = up <= run[0], goes_down = down <= run[1];
    if (!goes_up && !goes_down) return no_way;
    if (!goes_up || !goes_down) return 2 * d + (goes_up ? 0 : 1);
    return 2 * d + (up == down ? bits >> d % 32 & 1 : static_cast<u32>(down < up));
  }

  /// Order of dimensions, or the ring where that leads nowhere.
  void add_escape(const QueuePlace& at, u32 to, u32 bits, Candidates& candidates) const {
    const bool inside = at.port == QueuePlace::injection;
    if (!inside && at.channel == 1) {
      if (const u32 port = ring().next(at.router, at.port); port != EscapeRing::none) {
        candidates.escape = port * channels() + 1;
        return;
      }
    }
    const u32 port = port_in_order(at.router, to, bits);
    if (port != no_way) {
      candidates.escape = port * channels();
      const bool goes_on = !inside && at.channel == 0 && at.port == (port ^ 1U);
      const bool line = runs_[u64{at.router} * grid_.dims.size() * 2 + port] + 1U < grid_.dims[port / 2];
      candidates.escape_far_packets = goes_on || line ? 1 : 2;
    } else {
      candidates.escape = ring().entry(at.router, to) * channels() + 1;
      candidates.escape_far_packets = 2;
    }
  }

  /// The first port of the order of dimensions, if all of the way leads on.
  [[nodiscard]] u32 port_in_order(u32 router, u32 to, u32 bits) const {
    u32 first = no_way;
    for (u32 d = 0; d < grid_.dims.size(); ++d) {
      const u32 port = port_along(router, to, d, bits);
      if (port == no_way) return no_way;
      if (port == arrived) continue;
      if (first == no_way) first = port;
      router += (coordinate(to, d) - coordinate(router, d)) * strides_[d];
    }
    return first;
  }

  /// How far each router's row leads in each direction.
  void make(const Topology& left) override {
    runs_.assign(u64{left.routers()} * grid_.dims.size() * 2, 0);
    for (u32 r = 0; r < left.routers(); ++r) {
      for (u32 port = 0; port < 2 * grid_.dims.size(); ++port) {
        u32 links = 0, router = r;
        while (links + 1 < grid_.dims[port / 2]) {
          const Peer far = left.peer(RouterId(router), port);
          if (far.kind != Peer::Kind::router) break;
          router = far.id;
          ++links;
        }
        runs_[u64{r} * grid_.dims.size() * 2 + port] = static_cast<u16>(links);
      }
    }
  }

  const CubeGeometry& grid_;
  std::vector<u32> strides_;  ///< [dimension]
  u32 most_hops_ = 0;         ///< on adaptive channels: behind these a packet cannot go astray any more
  std::vector<u16> runs_;     ///< [router][port] links that the row leads on, less than its size
};

[[maybe_unused]] const bool immucube_registered = RouterRegistry::instance().add(
    "immucube",
    {.help =
         "routers of meshes and tori that go round failures: the other way along the ring of a dimension, and where "
         "that does not lead on, over a ring through all routers, which they lay anew when all know of a failure or "
         "a repair (faults.sweep_ns). Rings are entered where two packets fit behind.",
     .families = {"grid"},
     .modes = {{"adaptive",
                "the emptiest link that leads closer along its row, in channels from 2 on; else order of dimensions in "
                "channel 0, or the ring in channel 1. The only one; needs 3 channels.",
                false, true, "immucube"}},
     .settings = {},
     .check =
         [](const RouterChoice& choice) {
           return check_ring(choice, 3, "order of dimensions, the ring and an adaptive channel");
         },
     .routing = [](const Topology& topology, const RouterSettings& settings) -> std::unique_ptr<Routing> {
       return std::make_unique<Immucube>(topology, settings);
     },
     .has_loop = {},
     .bytes = {}});

}  // namespace
}  // namespace weft::models
