// The graph of dependencies as bits, a row for each channel and lane; Tarjan's strongly connected components in it.
#include "models/subnet/dependencies.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>

#include "engine/base/text/shown.hpp"
#include "models/subnet/routes.hpp"

namespace weft::models {
namespace {

/// Vertices are channel * lanes + lane; row bits are (port - 1) * lanes + lane of the switch where the channel ends.
class Graph {
 public:
  Graph(const Subnet& subnet, u32 lanes) : subnet_(subnet), lanes_(lanes) {
    u32 ports = 0;
    for (u32 s = 0; s < subnet.switches(); ++s) ports = std::max(ports, subnet.switch_at(s).ports);
    words_ = (u64{ports} * lanes + 63) / 64;
    bits_.assign(vertices() * words_, 0);
    far_first_.assign(subnet.switch_channels(), 0);
    for (u32 s = 0; s < subnet.switches(); ++s) {
      for (u32 port = 1; port <= subnet.switch_at(s).ports; ++port) {
        const Peer peer = subnet.next(s, port);
        if (peer.kind == Peer::Kind::router) far_first_[subnet.channel(s, port)] = subnet.first_channel(peer.id);
      }
    }
  }
  [[nodiscard]] u64 vertices() const { return u64{subnet_.switch_channels()} * lanes_; }
  [[nodiscard]] LaneOfChannel meaning(u64 vertex) const {
    return {static_cast<u32>(vertex / lanes_), static_cast<u32>(vertex % lanes_)};
  }
  void add(u32 channel, u32 lane, u32 next_port, u32 next_lane) {
    const u64 bit = u64{next_port - 1} * lanes_ + next_lane;
    bits_[(u64{channel} * lanes_ + lane) * words_ + bit / 64] |= u64{1} << (bit % 64);
  }
  [[nodiscard]] u64 edges() const {
    u64 count = 0;
    for (const u64 word : bits_) count += static_cast<u64>(std::popcount(word));
    return count;
  }
  /// First successor at bit `from` or behind; from is set behind it. False if there is none.
  bool successor(u64 vertex, u64& from, u64& next) const {
    for (u64 word = from / 64; word < words_; ++word) {
      u64 bits = bits_[vertex * words_ + word];
      if (word == from / 64) bits &= ~u64{0} << (from % 64);
      if (bits == 0) continue;
      const u64 bit = word * 64 + static_cast<u64>(std::countr_zero(bits));
      from = bit + 1;
      next = u64{far_first_[vertex / lanes_]} * lanes_ + bit;
      return true;
    }
    return false;
  }

 private:
  const Subnet& subnet_;
  u64 lanes_, words_ = 0;
  std::vector<u64> bits_;
  std::vector<u32> far_first_;  ///< [channel of a switch]: first channel of the switch where it ends
};

Graph dependencies_of(const Subnet& subnet, const ForwardingTables& tables, const SlToVl* lanes, u32 level) {
  Graph graph(subnet, lanes == nullptr ? 1 : lanes->lanes());
  TargetTree tree(subnet, tables);
  const auto lane_at = [&](u32 s, u32 in) { return lanes == nullptr ? 0 : lanes->lane(s, in, tree.port(s), level); };
  for (u32 t = 0; t < tables.targets(); ++t) {
    tree.walk(t);
    for (const u32 s : tree.switches()) {
      const Peer next = tree.next(s);
      if (next.kind != Peer::Kind::router || tree.next(next.id).kind != Peer::Kind::router) continue;
      if (lanes == nullptr) {
        graph.add(subnet.channel(s, tree.port(s)), 0, tree.port(next.id), 0);
        continue;
      }
      // The lane that a packet has at s is that of the port where it came in: any host's or switch's port that sends
      // here.
      for (u32 in = 1; in <= subnet.switch_at(s).ports; ++in) {
        const Peer from = subnet.peer(s, in);
        const bool host = from.kind == Peer::Kind::node && from.id != tables.host_of(t);
        const bool other = from.kind == Peer::Kind::router && tree.sends(from.id) && tree.port(from.id) == from.port &&
                           subnet.carries(from.id, from.port);
        if (!host && !other) continue;
        graph.add(subnet.channel(s, tree.port(s)), lane_at(s, in), tree.port(next.id), lane_at(next.id, next.port));
      }
    }
  }
  return graph;
}

/// Tarjan's algorithm with a stack of its own.
class Components {
 public:
  explicit Components(const Graph& graph) : graph_(graph), number_(graph.vertices(), 0), low_(graph.vertices(), 0) {}

  /// Counts groups of two vertices or more, or of one with an edge to itself, and keeps the first.
  void find(CreditLoops& loops) {
    for (u64 v = 0; v < graph_.vertices(); ++v) {
      if (number_[v] == 0) visit(v, loops);
    }
  }
  [[nodiscard]] const std::vector<u64>& first_group() const { return first_group_; }

 private:
  static constexpr u64 done = UINT64_MAX;
  struct Frame {
    u64 vertex = 0, next_bit = 0;
  };

  void enter(u64 v) {
    number_[v] = low_[v] = ++numbers_;
    open_.push_back(v);
    frames_.push_back({v, 0});
  }
  void visit(u64 start, CreditLoops& loops) {
    enter(start);
    while (!frames_.empty()) {
      const u64 v = frames_.back().vertex;
      u64 next = 0;
      if (graph_.successor(v, frames_.back().next_bit, next)) {
        if (number_[next] == 0) {
          enter(next);
        } else if (low_[next] != done) {
          low_[v] = std::min(low_[v], number_[next]);
        }
        continue;
      }
      frames_.pop_back();
      if (!frames_.empty()) {
        u64& above = low_[frames_.back().vertex];
        above = std::min(above, low_[v]);
      }
      if (low_[v] == number_[v]) close(v, loops);
    }
  }
  void close(u64 root, CreditLoops& loops) {
    const auto begin = std::find(open_.rbegin(), open_.rend(), root).base() - 1;
    for (auto each = begin; each != open_.end(); ++each) low_[*each] = done;
    if (open_.end() - begin > 1 || has_own_edge(root)) {
      ++loops.tangles;
      loops.channels += static_cast<u64>(open_.end() - begin);
      if (first_group_.empty()) first_group_.assign(begin, open_.end());
    }
    open_.erase(begin, open_.end());
  }
  [[nodiscard]] bool has_own_edge(u64 v) const {
    for (u64 bit = 0, next = 0; graph_.successor(v, bit, next);) {
      if (next == v) return true;
    }
    return false;
  }

  const Graph& graph_;
  std::vector<u64> number_, low_;
  std::vector<u64> open_, first_group_;
  std::vector<Frame> frames_;
  u64 numbers_ = 0;
};

/// A shortest cycle through the least vertex of a group.
std::vector<LaneOfChannel> cycle_in(const Graph& graph, const std::vector<u64>& group) {
  const u64 start = *std::ranges::min_element(group);
  constexpr u64 none = UINT64_MAX;
  std::vector<u64> before(graph.vertices(), none), queue{start};
  for (std::size_t ix = 0; ix < queue.size(); ++ix) {
    for (u64 bit = 0, next = 0; graph.successor(queue[ix], bit, next);) {
      if (next == start) {
        std::vector<LaneOfChannel> cycle;
        for (u64 v = queue[ix];; v = before[v]) {
          cycle.push_back(graph.meaning(v));
          if (v == start) break;
        }
        std::ranges::reverse(cycle);
        return cycle;
      }
      if (before[next] != none) continue;
      before[next] = queue[ix];
      queue.push_back(next);
    }
  }
  return {};
}

}  // namespace

CreditLoops find_credit_loops(const Subnet& subnet, const ForwardingTables& tables, const SlToVl* lanes, u32 level) {
  const Graph graph = dependencies_of(subnet, tables, lanes, level);
  CreditLoops loops;
  loops.dependencies = graph.edges();
  Components components(graph);
  components.find(loops);
  if (loops.tangles > 0) loops.cycle = cycle_in(graph, components.first_group());
  return loops;
}

std::string cycle_text(const Subnet& subnet, const std::vector<LaneOfChannel>& cycle, bool with_lanes,
                       const std::string& indent) {
  constexpr std::size_t most_shown = 20;
  std::string text;
  for (std::size_t k = 0; k < std::min(cycle.size(), most_shown); ++k) {
    text += fmt::format("{}{}{}\n", indent, shown(subnet.channel_name(cycle[k].channel)),
                        with_lanes ? fmt::format(", lane {}", cycle[k].lane) : "");
  }
  if (cycle.size() > most_shown) text += fmt::format("{}and {} more\n", indent, cycle.size() - most_shown);
  return text;
}

}  // namespace weft::models
