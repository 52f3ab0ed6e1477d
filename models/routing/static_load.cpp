// Walks routes hop by hop as packets would, without time.
#include "models/routing/static_load.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <vector>

#include "engine/random.hpp"
#include "engine/stop_look.hpp"

namespace weft::models {
namespace {

constexpr u32 no_port = ~u32{0};

class StaticLoads {
 public:
  StaticLoads(const Topology& topology, const Routing& routing, u32 virtual_channels)
      : topology_(topology), routing_(routing), channels_(virtual_channels) {
    for (u32 r = 0; r < topology.routers(); ++r) {
      first_.push_back(cost_.size());
      for (u32 p = 0; p < topology.ports(RouterId(r)); ++p) cost_.push_back(1 / topology.link_rate(RouterId(r), p));
    }
    loads_.assign(cost_.size(), 0);
    words_.assign((u64{topology.most_ports()} * channels_ + 63) / 64, 0);
  }

  enum class End : u8 { arrives, lost, choice };

  /// Follows the route from a node to another; its hops are in `hops()` then.
  End follow(NodeId from, NodeId to) {
    RouteState state;
    routing_.begin(state, from, to, 0);
    const u32 listed = routing_.beginnings(from, to);
    if (listed == 0 && !begins_alike(state, from, to)) return End::choice;
    const End end = walk(hops_, state, from, to);
    // Packets may begin with different states, as service levels, and take the same ports all the same.
    for (u32 k = 0; k < listed && listed > 1 && end != End::choice; ++k) {
      RouteState other;
      routing_.begin_as(other, from, to, k);
      if (walk(other_hops_, other, from, to) != end || other_hops_ != hops_) return End::choice;
    }
    return end;
  }
  [[nodiscard]] const std::vector<u64>& hops() const { return hops_; }
  void add(u64 routes) {
    for (const u64 hop : hops_) loads_[hop] += static_cast<double>(routes) * cost_[hop];
  }
  /// Routes on a link, by how much slower it is than the usual one.
  [[nodiscard]] double load(u64 link) const { return loads_[link]; }
  [[nodiscard]] double cost(u64 link) const { return cost_[link]; }
  [[nodiscard]] u64 most_loaded() const { return static_cast<u64>(std::ranges::max_element(loads_) - loads_.begin()); }
  [[nodiscard]] WorstLink named(u64 link) const {
    const auto router = std::ranges::upper_bound(first_, link) - first_.begin() - 1;
    return {.router = static_cast<u32>(router), .port = static_cast<u32>(link - first_[router])};
  }

 private:
  End walk(std::vector<u64>& hops, RouteState& state, NodeId from, NodeId to) {
    hops.clear();
    QueuePlace at{.router = topology_.router_of(from).value()};
    const u32 last = topology_.router_of(to).value();
    while (hops.size() <= topology_.routers()) {
      if (!topology_.direct() && at.router == last) return End::arrives;  // no routing is asked for the way to the node
      std::ranges::fill(words_, 0);
      Candidates candidates{.outputs = OutputSet(words_.data(), static_cast<u32>(words_.size()))};
      const Verdict verdict = routing_.route(at, {from, to, state}, candidates);
      if (verdict == Verdict::arrived) return End::arrives;
      if (verdict == Verdict::dropped) return End::lost;
      if (candidates.escape != Candidates::none) return End::choice;
      const u32 channel = the_only_output();
      if (channel == no_port) return End::choice;
      const u32 port = channel / channels_;
      const Peer far = topology_.peer(RouterId(at.router), port);
      if (far.kind == Peer::Kind::node) return far.id == to.value() ? End::arrives : End::lost;
      if (far.kind == Peer::Kind::none) return End::lost;
      hops.push_back(first_[at.router] + port);
      routing_.leave(state, at, port, channel % channels_);
      at = {far.id, far.port, channel % channels_};
    }
    return End::lost;
  }
  /// Whether a packet's state is the same whatever is drawn.
  bool begins_alike(const RouteState& state, NodeId from, NodeId to) const {
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
  std::vector<u64> first_;            ///< [router]
  std::vector<double> loads_, cost_;  ///< [port of all]
  std::vector<u64> words_;
  std::vector<u64> hops_, other_hops_;  ///< ports of all
};

/// Who sends: nodes, or one for all of a router where routes do not go by the source.
struct Sender {
  NodeId node;
  u32 router = 0;
  u64 nodes = 1;
};

std::vector<Sender> senders_of(const Topology& topology, bool by_source, const std::vector<NodeId>& working) {
  std::vector<Sender> senders;
  std::vector<u32> at_router(topology.routers(), no_port);
  for (const NodeId node : working) {
    const u32 router = topology.router_of(node).value();
    if (!by_source && at_router[router] != no_port) {
      ++senders[at_router[router]].nodes;
      continue;
    }
    at_router[router] = static_cast<u32>(senders.size());
    senders.push_back({node, router, 1});
  }
  return senders;
}

/// Follows the routes of all senders to one node and calls use(nodes) for each, with its hops in `walk`; false if they
/// leave a choice.
template <class Use>
bool follow_all(StaticLoads& walk, const Topology& topology, const std::vector<Sender>& senders, NodeId to, u64& lost,
                Use&& use) {
  const u32 last = topology.router_of(to).value();
  engine::look_for_stop(to.value());
  for (const Sender& sender : senders) {
    engine::look_for_stop(sender.node.value());
    if (sender.router == last) continue;  // over no link between routers
    const StaticLoads::End end = walk.follow(sender.node, to);
    if (end == StaticLoads::End::choice) return false;
    if (end == StaticLoads::End::lost)
      lost += sender.nodes;
    else
      use(sender.nodes);
  }
  return true;
}

constexpr const char* leave_a_choice = "its routes leave a choice of ports, by draws or by occupancy";

}  // namespace

StaticLoad worst_static_link(const Topology& topology, const Routing& routing, u32 virtual_channels, u64 most_steps) {
  if (routing.decides()) return {{}, leave_a_choice};
  std::vector<NodeId> nodes;
  for (u32 n = 0; n < topology.nodes(); ++n) {
    if (topology.works(NodeId(n))) nodes.push_back(NodeId(n));
  }
  if (nodes.size() < 2) return {{}, "fewer than two nodes work"};
  const std::vector<Sender> senders = senders_of(topology, routing.goes_by_source(), nodes);
  const u64 steps = senders.size() * (static_cast<u64>(topology.mean_distance()) + 1);  // of a destination
  const u64 count = nodes.size();
  const u64 affordable = most_steps / std::max<u64>(1, steps);
  constexpr u64 least_sample = 32;
  const bool exact = affordable >= count;
  if (!exact && affordable < least_sample)
    return {{}, fmt::format("to follow the routes to {} of its {} nodes takes too long", least_sample, count)};
  if (!exact) {  // a random order, the same for everybody
    for (u64 k = count; k-- > 1;)
      std::swap(nodes[k], nodes[engine::scale_to(engine::remix(count, k), static_cast<u32>(k + 1))]);
  }
  StaticLoads walk(topology, routing, virtual_channels);
  WorstLink worst;
  const u64 first_half = exact ? count : affordable / 2, sampled = exact ? count : affordable;
  for (u64 k = 0; k < first_half; ++k) {
    if (!follow_all(walk, topology, senders, nodes[k], worst.lost_pairs, [&](u64 routes) { walk.add(routes); }))
      return {{}, leave_a_choice};
  }
  const u64 link = walk.most_loaded();
  double load = walk.load(link), error = 0;
  if (!exact) {
    double sum = 0, squares = 0;
    for (u64 k = first_half; k < sampled; ++k) {
      double here = 0;
      const bool fixed = follow_all(walk, topology, senders, nodes[k], worst.lost_pairs, [&](u64 routes) {
        here += static_cast<double>(routes * static_cast<u64>(std::ranges::count(walk.hops(), link)));
      });
      if (!fixed) return {{}, leave_a_choice};
      sum += here * walk.cost(link);
      squares += here * walk.cost(link) * here * walk.cost(link);
    }
    const auto n = static_cast<double>(sampled - first_half), all = static_cast<double>(count);
    const double mean = sum / n, variance = std::max(0.0, (squares - n * mean * mean) / (n - 1));
    load = all * mean;
    error = 1.96 * all * std::sqrt(variance / n * (1 - n / all));
    // A link that few destinations share is hardly ever among those of a sample.
    if (error >= load / 2) return {{}, "a sample of its routes does not tell which link is loaded most"};
  }
  const u64 lost = worst.lost_pairs;
  worst = walk.named(link);
  worst.exact = exact;
  worst.destinations = static_cast<u32>(sampled);
  worst.lost_pairs = exact ? lost : lost * count / sampled;
  if (load > 0) {
    const double bound = static_cast<double>(count - 1) / load;
    worst.load_bound = std::min(1.0, bound);
    worst.error = bound * error / load;
  }
  return {worst, ""};
}

}  // namespace weft::models
