// All routes of all pairs of a switch and a node, old ones up to each switch and new ones from there.
#include "models/routing/recovery/transition_check.hpp"

namespace weft::models {
namespace {

/// Pairs of switches and nodes at most: some seconds.
constexpr u64 most_pairs = u64{1} << 16;

class Waits {
 public:
  Waits(const Topology& topology, u32 channels) : topology_(topology), channels_(channels) {
    for (u32 r = 0; r < topology.routers(); ++r) {
      first_.push_back(ports_);
      ports_ += topology.ports(RouterId(r));
    }
  }

  /// The channels of a link that packets of a layer take.
  struct Link {
    u32 router = 0, port = none, layer = 0, layers = 1;
    static constexpr u32 none = ~u32{0};
  };

  /// Packets go from a switch to a node by tables, and come to the switch over a link, or from a node. Calls at(link)
  /// for each link that they come to a switch over.
  template <class F>
  void walk(const TableRoutes& routes, Link in, u32 from, u32 to, F&& at) {
    const u32 end = topology_.router_of(NodeId(to)).value();
    u32 router = from;
    for (u32 hops = 0; router != end && hops < topology_.routers(); ++hops) {
      const u8 port = routes.tables.port(router, to);
      if (port == 0 || port == ForwardingTables::none) return;
      const Peer far = topology_.peer(RouterId(router), port - 1U);
      if (far.kind != Peer::Kind::router) return;
      const Link out{router, port - 1U, in.layer, routes.layers.used};
      if (in.port != Link::none) add(in, out, from, to);
      in = out;
      router = far.id;
      at(in, router);
    }
  }

  [[nodiscard]] std::vector<WaitingPacket> cycle() const {
    std::vector<WaitingPacket> found;
    for (const ChannelGraph::Waiting& in : graph_.find_cycle(TakesCandidate::any)) {
      const u32 port = in.channel / channels_;
      u32 router = 0;
      while (router + 1 < first_.size() && first_[router + 1] <= port) ++router;
      found.push_back({router, port - first_[router], in.channel % channels_, in.from, in.to});
    }
    return found;
  }

 private:
  void add(const Link& in, const Link& out, u32 from, u32 to) {
    candidates_.clear();
    for (u32 c = out.layer; c < channels_; c += out.layers) candidates_.push_back(number(out, c));
    for (u32 c = in.layer; c < channels_; c += in.layers) graph_.add({number(in, c), from, to}, candidates_);
  }
  [[nodiscard]] u32 number(const Link& link, u32 channel) const {
    return (first_[link.router] + link.port) * channels_ + channel;
  }

  const Topology& topology_;
  u32 channels_, ports_ = 0;
  std::vector<u32> first_;  ///< [router]
  std::vector<u32> candidates_;
  ChannelGraph graph_;
};

}  // namespace

TransitionFindings check_transition(const Topology& topology, const TableRoutes& before, const TableRoutes& after,
                                    u32 channels) {
  if (u64{topology.routers()} * topology.nodes() > most_pairs) return {};
  Waits waits(topology, channels);
  const auto ignore = [](const Waits::Link&, u32) {};
  for (u32 from = 0; from < topology.routers(); ++from) {
    if (topology.nodes_at(RouterId(from)) == 0) continue;
    for (u32 to = 0; to < topology.nodes(); ++to) {
      const u32 old_layer = before.layers.layer(from, to), new_layer = after.layers.layer(from, to);
      const Waits::Link source{from, Waits::Link::none, old_layer, 1};
      waits.walk(after, {from, Waits::Link::none, new_layer, 1}, from, to, ignore);
      waits.walk(after, source, from, to, ignore);  // drawn before, in its node still
      waits.walk(before, source, from, to,
                 [&](const Waits::Link& in, u32 at) { waits.walk(after, in, at, to, ignore); });
    }
  }
  return {true, waits.cycle()};
}

}  // namespace weft::models
