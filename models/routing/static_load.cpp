// Walks routes hop by hop as packets would, without time.
#include "models/routing/static_load.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <vector>

namespace weft::models {
namespace {

constexpr u32 no_port = ~u32{0};

class StaticLoads {
 public:
  StaticLoads(const Topology& topology, const Routing& routing, u32 virtual_channels)
      : topology_(topology), routing_(routing), channels_(virtual_channels) {
    for (u32 r = 0; r < topology.routers(); ++r) {
      first_.push_back(loads_.size());
      loads_.resize(loads_.size() + topology.ports(RouterId(r)), 0);
    }
    words_.assign((u64{topology.most_ports()} * channels_ + 63) / 64, 0);
  }

  /// False if the route is none or not the only one.
  bool follow(NodeId from, NodeId to) {
    RouteState state;
    if (!begins_alike(state, from, to)) return false;
    QueuePlace at{.router = topology_.router_of(from).value()};
    const u32 last = topology_.router_of(to).value();
    for (u32 hops = 0; hops <= topology_.routers(); ++hops) {
      if (!topology_.direct() && at.router == last) return true;  // no routing is asked for the way to the node
      std::ranges::fill(words_, 0);
      Candidates candidates{.outputs = OutputSet(words_.data(), static_cast<u32>(words_.size()))};
      const Verdict verdict = routing_.route(at, {from, to, state}, candidates);
      if (verdict == Verdict::arrived) return true;
      if (verdict == Verdict::dropped || candidates.escape != Candidates::none) return false;
      const u32 channel = the_only_output();
      if (channel == no_port) return false;
      const u32 port = channel / channels_;
      const Peer far = topology_.peer(RouterId(at.router), port);
      if (far.kind == Peer::Kind::node) return far.id == to.value();
      if (far.kind == Peer::Kind::none) return false;
      ++loads_[first_[at.router] + port];
      routing_.leave(state, at, port, channel % channels_);
      at = {far.id, far.port, channel % channels_};
    }
    return false;
  }

  [[nodiscard]] WorstLink worst() const {
    WorstLink found;
    u64 most = 0;
    for (u32 r = 0; r < topology_.routers(); ++r) {
      for (u32 p = 0; p < topology_.ports(RouterId(r)); ++p) {
        if (loads_[first_[r] + p] <= most) continue;
        most = loads_[first_[r] + p];
        found.router = r;
        found.port = p;
      }
    }
    if (most > 0)
      found.load_bound = std::min(1.0, static_cast<double>(topology_.nodes() - 1) / static_cast<double>(most));
    return found;
  }

 private:
  /// Whether a packet's state is the same whatever is drawn.
  bool begins_alike(RouteState& state, NodeId from, NodeId to) const {
    routing_.begin(state, from, to, 0);
    for (const u64 bits : {~u64{0}, u64{0x9e3779b97f4a7c15}}) {
      RouteState other;
      routing_.begin(other, from, to, bits);
      if (other.word() != state.word() || other.phase != state.phase || other.spare != state.spare) return false;
    }
    return true;
  }
  /// The first output of the only port that is a candidate; no_port if there are several.
  [[nodiscard]] u32 the_only_output() const {
    u32 first = no_port, port = no_port;
    for (u32 w = 0; w < words_.size(); ++w) {
      for (u64 bits = words_[w]; bits != 0; bits &= bits - 1) {
        const u32 output = w * 64 + static_cast<u32>(std::countr_zero(bits));
        if (first == no_port) first = output, port = output / channels_;
        if (output / channels_ != port) return no_port;
      }
    }
    return first;
  }

  const Topology& topology_;
  const Routing& routing_;
  u32 channels_;
  std::vector<std::size_t> first_;  ///< [router]
  std::vector<u64> loads_;          ///< [port of all]
  std::vector<u64> words_;
};

}  // namespace

std::optional<WorstLink> worst_static_link(const Topology& topology, const Routing& routing, u32 virtual_channels,
                                           u64 most_steps) {
  if (routing.decides() || topology.nodes() < 2) return {};
  std::vector<std::vector<u32>> at_router(topology.routers());
  for (u32 n = 0; n < topology.nodes(); ++n) {
    if (!topology.works(NodeId(n))) return {};  // what cannot be reached is no matter of even loads
    at_router[topology.router_of(NodeId(n)).value()].push_back(n);
  }
  std::erase_if(at_router, [](const std::vector<u32>& nodes) { return nodes.empty(); });
  const u64 hops = static_cast<u64>(topology.mean_distance()) + 1;
  const u64 steps_a_router = 2 * hops * topology.nodes() * at_router.front().size();
  const u64 routers = std::min<u64>(most_steps / std::max<u64>(1, steps_a_router), at_router.size());
  if (routers == 0) return {};
  std::vector<bool> sampled(topology.nodes(), false);
  for (u64 k = 0; k < routers; ++k) {
    for (const u32 n : at_router[k * at_router.size() / routers]) sampled[n] = true;
  }
  StaticLoads walk(topology, routing, virtual_channels);
  for (u32 from = 0; from < topology.nodes(); ++from) {
    for (u32 to = 0; to < topology.nodes(); ++to) {
      if (from == to || !(sampled[from] || sampled[to])) continue;
      if (!walk.follow(NodeId(from), NodeId(to))) return {};
    }
  }
  return walk.worst();
}

}  // namespace weft::models
