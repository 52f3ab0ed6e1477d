// Routers of any network that make their routes anew by themselves when parts fail, without tables from outside and
// without a packet dropped but those that were hit.
#include <algorithm>
#include <fmt/format.h>
#include <memory>

#include "engine/base/error.hpp"
#include "models/routing/recovery/ring_routing.hpp"

namespace weft::models {
namespace {

/// Bytes of distances at most, on each process.
constexpr u64 most_distances = u64{1} << 30;

/// After V. Puente, J.A. Gregorio, F. Vallejo, R. Beivide, "Immunet: dependable routing for interconnection networks
/// with arbitrary topology", IEEE Trans. Computers 57(12), 2008: adaptive channels, and a ring through all routers as
/// the way out, which the routers lay anew through what is left. Which tree the ring goes round, and when packets leave
/// it again, are ours (docs/recovery.md).
///
/// RouteState: `phase` how often a packet has entered the ring. Channel 0 of the ring's links is the ring; it is
/// entered where two packets fit behind it, so that it always keeps free space. Higher channels are adaptive: all links
/// that lead closer in what is left.
class Immunet final : public RingRouting {
 public:
  Immunet(const Topology& topology, const RouterSettings& settings) : RingRouting(topology, settings), net_(topology) {
    make(topology);
  }

  Verdict route(const QueuePlace& at, const PacketOnRoute& packet, Candidates& candidates) const override {
    const u32 to = net_.router_of(packet.to).value();
    if (to == at.router) return Verdict::arrived;
    if (!ring().joins(at.router, to)) return Verdict::dropped;
    const bool on_ring = is_on_ring(at);
    const u32 port = on_ring ? ring().next(at.router, at.port) : ring().entry(at.router, to);
    candidates.escape = port * channels();
    candidates.escape_far_packets = on_ring ? 1 : 2;
    if (on_ring && packet.state.phase >= most_entries) return Verdict::waits;
    const u16 here = links(at.router, to);
    for (u32 p = 0; p < net_.ports(RouterId(at.router)); ++p) {
      const u32 far = neighbours_[first_[at.router] + p];
      if (far != EscapeRing::none && links(far, to) < here)
        candidates.outputs.add_range(p * channels() + 1, channels() - 1);
    }
    return Verdict::waits;
  }

  void leave(RouteState& state, const QueuePlace& at, u32 /*port*/, u32 channel) const override {
    if (channel == 0 && !is_on_ring(at) && state.phase < most_entries) ++state.phase;
  }

  [[nodiscard]] u32 beginnings(NodeId /*from*/, NodeId /*to*/) const override { return 1; }

 private:
  /// A packet that has entered the ring so often stays on it: it cannot go astray for ever.
  static constexpr u8 most_entries = 8;
  static constexpr u16 unreachable = 0xffff;

  [[nodiscard]] bool is_on_ring(const QueuePlace& at) const {
    return at.port != QueuePlace::injection && at.channel == 0 && ring().next(at.router, at.port) != EscapeRing::none;
  }
  [[nodiscard]] u16 links(u32 router, u32 to) const { return links_[u64{row_[to]} * net_.routers() + router]; }

  /// Who is wired to whom, and links from each router to each that has nodes, by breadth-first search from there.
  void make(const Topology& left) override {
    const u32 routers = left.routers();
    first_.assign(routers + 1U, 0);
    for (u32 r = 0; r < routers; ++r) first_[r + 1] = first_[r] + left.ports(RouterId(r));
    neighbours_.assign(first_.back(), EscapeRing::none);
    for (u32 r = 0; r < routers; ++r) {
      for (u32 p = 0; p < left.ports(RouterId(r)); ++p) {
        const Peer far = left.peer(RouterId(r), p);
        if (far.kind == Peer::Kind::router) neighbours_[first_[r] + p] = far.id;
      }
    }
    row_.assign(routers, 0);
    u32 rows = 0;
    for (u32 r = 0; r < routers; ++r) row_[r] = left.nodes_at(RouterId(r)) != 0 ? rows++ : 0;
    if (u64{rows} * routers * sizeof(u16) > most_distances) {
      throw ConfigError(fmt::format(
          "distances between {} routers take {} MB on each process, more than the {} that are allowed; use a smaller "
          "network, or router.kind = \"immucube\" (tori and meshes), which keeps none",
          routers, u64{rows} * routers * sizeof(u16) >> 20, most_distances >> 20));
    }
    links_.assign(u64{rows} * routers, unreachable);
    std::vector<u32> queue;
    for (u32 to = 0; to < routers; ++to) {
      if (left.nodes_at(RouterId(to)) == 0) continue;
      u16* const row = links_.data() + u64{row_[to]} * routers;
      row[to] = 0;
      queue.assign(1, to);
      for (std::size_t next = 0; next < queue.size(); ++next) {
        const u32 router = queue[next];
        for (u32 p = first_[router]; p < first_[router + 1]; ++p) {
          const u32 far = neighbours_[p];
          if (far == EscapeRing::none || row[far] != unreachable) continue;
          row[far] = static_cast<u16>(row[router] + 1);
          queue.push_back(far);
        }
      }
    }
  }

  const Topology& net_;
  std::vector<u32> first_;       ///< [router] of its ports in `neighbours_`
  std::vector<u32> neighbours_;  ///< [port] router there
  std::vector<u32> row_;         ///< [router] of `links_`, of those with nodes
  std::vector<u16> links_;       ///< [row][router]
};

[[maybe_unused]] const bool immunet_registered = RouterRegistry::instance().add(
    "immunet",
    {.help =
         "routers of any network that heal it by themselves: packets go by all links that lead closer in what is "
         "left of the network, and by a ring through all routers where these are full, which is entered where two "
         "packets fit behind it. When all routers know of a failure or a repair (faults.sweep_ns) they lay the ring "
         "and the routes anew.",
     .families = {any_family},
     .modes =
         {{"adaptive",
           "the emptiest link that leads closer, in any channel but 0; the ring in channel 0 if there is none. The "
           "only one; needs 2 channels.",
           false, true, "immunet"}},
     .settings = {},
     .check = [](const RouterChoice& choice) { return check_ring(choice, 2, "the ring and an adaptive channel"); },
     .routing = [](const Topology& topology, const RouterSettings& settings) -> std::unique_ptr<Routing> {
       return std::make_unique<Immunet>(topology, settings);
     },
     .has_loop = {},
     .bytes = {}});

}  // namespace
}  // namespace weft::models
