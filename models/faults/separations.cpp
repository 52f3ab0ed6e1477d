// Routers carry the number of their part; a failure that leaves another path between both ends of what failed changes
// none of them.
#include "models/faults/separations.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <unordered_set>

#include "models/topology/forwarded.hpp"
#include "models/topology/router_groups.hpp"

namespace weft::models {
namespace detail {

/// The network without the links and routers that do not work now.
class WorkingLinks final : public ReducedTopology {
 public:
  explicit WorkingLinks(const Topology& topology)
      : ReducedTopology(topology), failed_at_(topology.routers(), 0), down_(topology.routers(), 0) {}

  [[nodiscard]] const Topology& whole() const override { return inner().whole(); }
  [[nodiscard]] Peer peer(RouterId router, u32 port) const override {
    const Peer far = inner().peer(router, port);
    if (far.kind != Peer::Kind::router) return far;
    return works(router.value(), port) && works(far.id, far.port) ? far : Peer{};
  }
  [[nodiscard]] u64 router_links() const override { return inner().router_links(); }
  [[nodiscard]] std::string name() const override { return inner().name() + " as far as its links work"; }

  void set(u32 router, bool down) { down_[router] = down ? 1 : 0; }
  /// What leaves a router through a port.
  void set(u32 router, u32 port, bool down) {
    const u64 end = u64{router} << 32 | port;
    if (down ? failed_.insert(end).second : failed_.erase(end) != 0) failed_at_[router] += down ? 1 : ~u32{0};
  }
  [[nodiscard]] Peer there(u32 router, u32 port) const { return inner().peer(RouterId(router), port); }

 private:
  [[nodiscard]] bool works(u32 router, u32 port) const {
    return down_[router] == 0 && (failed_at_[router] == 0 || !failed_.contains(u64{router} << 32 | port));
  }

  std::unordered_set<u64> failed_;
  std::vector<u32> failed_at_;  ///< [router]: how many of its ports
  std::vector<u8> down_;        ///< [router]
};

/// Whether two routers reach each other, by two searches that take turns: a path round a failure is mostly short.
class Search {
 public:
  explicit Search(u32 routers) : seen_(routers, 0) {}

  bool joined(const Topology& network, u32 a, u32 b) {
    if (a == b) return true;
    seen_by_ += 2;
    seen_[a] = seen_by_;
    seen_[b] = seen_by_ + 1;
    std::array<std::vector<u32>*, 2> open{&open_[0], &open_[1]};
    open_[0].assign(1, a);
    open_[1].assign(1, b);
    for (std::size_t at = 0;; ++at) {
      for (u32 side = 0; side < 2; ++side) {
        if (at == open[side]->size()) return false;  // all of one side is seen
        const u32 router = (*open[side])[at];
        for (u32 port = 0; port < network.ports(RouterId(router)); ++port) {
          const Peer far = network.peer(RouterId(router), port);
          if (far.kind != Peer::Kind::router || seen_[far.id] == seen_by_ + side) continue;
          if (seen_[far.id] == seen_by_ + 1 - side) return true;
          seen_[far.id] = seen_by_ + side;
          open[side]->push_back(far.id);
        }
      }
    }
  }

 private:
  std::vector<u64> seen_;  ///< [router]: by which search
  u64 seen_by_ = 0;
  std::array<std::vector<u32>, 2> open_;
};

/// "0-15, 32, 34 and 13 more". `nodes`: in order.
inline std::string names_of(const std::vector<u32>& nodes) {
  constexpr std::size_t most_parts = 16;
  std::string text;
  std::size_t parts = 0;
  for (std::size_t at = 0; at < nodes.size();) {
    if (parts++ == most_parts) return text + fmt::format(" and {} more", nodes.size() - at);
    std::size_t end = at + 1;
    while (end < nodes.size() && nodes[end] == nodes[end - 1] + 1) ++end;
    if (end - at == 2) end = at + 1;  // "4, 5"
    text += text.empty() ? "" : ", ";
    text += end - at == 1 ? std::to_string(nodes[at]) : fmt::format("{}-{}", nodes[at], nodes[end - 1]);
    at = end;
  }
  return text;
}

}  // namespace detail

class Separations::State {
 public:
  State(const Topology& topology, std::size_t most)
      : topology_(topology),
        most_(most),
        network_(topology),
        search_(topology.routers()),
        router_(topology.nodes(), none),
        has_nodes_(topology.routers(), false) {
    for (u32 node = 0; node < topology.nodes(); ++node) {
      if (!topology.works(NodeId(node))) continue;
      router_[node] = topology.router_of(NodeId(node)).value();
      has_nodes_[router_[node]] = true;
    }
    // Where nodes need no links to reach each other, none is cut off.
    told_ = !topology.joins_all() && (!topology.one_way() || one_part(topology.whole()));
    if (!told_) return;
    relabel();
    compare(0);
  }

  void advance(std::span<const FaultEvent> events, Tick end) {
    while (told_ && next_ < events.size() && events[next_].at <= end) {
      const Tick at = events[next_].at;
      for (; next_ < events.size() && events[next_].at == at; ++next_) apply(events[next_]);
      if (unlabelled_) relabel();
      if (changed_) compare(at);
    }
  }

  [[nodiscard]] const std::vector<Separation>& rows() const { return rows_; }
  [[nodiscard]] u64 count() const { return count_; }
  [[nodiscard]] const Separation* of(NodeId node) const {
    for (const auto& [nodes, row] : open_) {
      if (row < rows_.size() && std::ranges::binary_search(nodes, node.value())) return &rows_[row];
    }
    return nullptr;
  }

 private:
  void apply(const FaultEvent& event) {
    if ((event.change != FaultEvent::Change::down && event.change != FaultEvent::Change::up) ||
        event.part == FaultEvent::Part::node)
      return;
    const bool down = event.change == FaultEvent::Change::down;
    if (event.part == FaultEvent::Part::router) return set_router(event.id, down);
    const Peer far = network_.there(event.id, event.port);
    const auto open = [&] { return network_.peer(RouterId(event.id), event.port).kind == Peer::Kind::router; };
    const bool was_open = open();
    network_.set(event.id, event.port, down);
    if (!event.one_way && far.kind == Peer::Kind::router) network_.set(far.id, far.port, down);
    if (open() == was_open || unlabelled_) return;
    if (topology_.one_way()) {
      unlabelled_ = true;
    } else if (down) {
      unlabelled_ = !search_.joined(network_, event.id, far.id);
    } else {
      unlabelled_ = part_[event.id] != part_[far.id];
    }
  }

  void set_router(u32 router, bool down) {
    if (!down) network_.set(router, false);
    neighbours_.clear();
    for (u32 port = 0; port < topology_.ports(RouterId(router)); ++port) {
      if (const Peer far = network_.peer(RouterId(router), port); far.kind == Peer::Kind::router)
        neighbours_.push_back(far.id);
    }
    if (down) network_.set(router, true);
    changed_ |= has_nodes_[router];
    if (unlabelled_) return;
    const u32 alone = topology_.routers() + router;
    const u32 first = neighbours_.empty() ? none : neighbours_.front();
    const auto stay_together = [&](u32 other) {
      return down ? search_.joined(network_, first, other) : part_[first] == part_[other];
    };
    // Others have its number if they came to it when it was alone.
    const bool is_shared = down && first != none && part_[router] == alone;
    unlabelled_ = topology_.one_way() || is_shared || !std::ranges::all_of(neighbours_, stay_together);
    part_[router] = down || first == none ? alone : part_[first];
  }

  void relabel() {
    part_ = router_groups(network_);
    unlabelled_ = false;
    changed_ = true;
  }

  /// Which nodes are cut off now, against those that were.
  void compare(Tick at) {
    changed_ = false;
    sizes_.assign(2 * std::size_t{topology_.routers()}, 0);
    u32 all = 0, largest = none;
    for (const u32 router : router_) {
      if (router == none) continue;
      ++all;
      ++sizes_[part_[router]];
    }
    const u32 most = *std::ranges::max_element(sizes_);
    std::map<u32, std::vector<u32>> parts;
    for (u32 node = 0; most < all && node < router_.size(); ++node) {
      if (router_[node] == none) continue;
      const u32 part = part_[router_[node]];
      if (largest == none && sizes_[part] == most) largest = part;
      parts[part].push_back(node);
    }
    parts.erase(largest);
    std::map<std::vector<u32>, std::size_t> still;
    for (auto& [part, nodes] : parts) {
      const auto was = open_.find(nodes);
      const std::size_t row = was == open_.end() ? begin(nodes, at) : was->second;
      if (was != open_.end()) open_.erase(was);
      still.emplace(std::move(nodes), row);
    }
    for (const auto& [nodes, row] : open_) {
      if (row < rows_.size()) rows_[row].until = at;
    }
    open_ = std::move(still);
  }

  std::size_t begin(const std::vector<u32>& nodes, Tick at) {
    ++count_;
    if (rows_.size() == most_) return most_;
    rows_.push_back({at, never, detail::names_of(nodes), static_cast<u32>(nodes.size())});
    return rows_.size() - 1;
  }

  /// Whether routers that have nodes reach each other: those that links lead past in one direction alone do not.
  [[nodiscard]] bool one_part(const Topology& whole) const {
    const std::vector<u32> part = router_groups(whole);
    const u32 first = part[whole.router_of(NodeId(0)).value()];
    for (u32 node = 0; node < whole.nodes(); ++node) {
      if (part[whole.router_of(NodeId(node)).value()] != first) return false;
    }
    return true;
  }

  static constexpr u32 none = ~u32{0};
  const Topology& topology_;
  std::size_t most_;
  detail::WorkingLinks network_;
  detail::Search search_;
  std::size_t next_ = 0;                          ///< event that is still to come
  std::vector<u32> part_;                         ///< [router]
  std::vector<u32> router_;                       ///< [node]: none of nodes that never work
  std::vector<bool> has_nodes_;                   ///< [router]
  std::vector<u32> sizes_;                        ///< [part]: nodes
  std::vector<u32> neighbours_;                   ///< of a router that fails or comes back
  bool told_ = true;                              ///< whether parts mean anything here
  bool unlabelled_ = false;                       ///< parts have come apart or together
  bool changed_ = false;                          ///< nodes may be in others
  std::map<std::vector<u32>, std::size_t> open_;  ///< nodes that are cut off, and their row
  std::vector<Separation> rows_;
  u64 count_ = 0;
};

Separations::Separations(const Topology& topology, std::size_t most)
    : state_(std::make_unique<State>(topology, most)) {}
Separations::~Separations() = default;

void Separations::advance(std::span<const FaultEvent> events, Tick end) { state_->advance(events, end); }
const std::vector<Separation>& Separations::rows() const { return state_->rows(); }
u64 Separations::count() const { return state_->count(); }
const Separation* Separations::of(NodeId node) const { return state_->of(node); }

}  // namespace weft::models
