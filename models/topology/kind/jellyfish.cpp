// Jellyfish networks (Singla, Hong, Popa, Godfrey, NSDI 2012): routers joined at random, as many links each.
#include <algorithm>
#include <fmt/format.h>
#include <mutex>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/random.hpp"
#include "models/topology/shape_check.hpp"
#include "models/topology/shapes_near.hpp"
#include "models/topology/topology.hpp"

namespace weft::models {
namespace {

using NeighbourLists = std::vector<std::vector<u32>>;  ///< [router] neighbours

/// Draws a simple graph of `routers` with `degree` links each, as the paper does: links between two routers that have
/// free ports and none to each other, drawn at random, until there are no such two; then a router with two free ports
/// takes the place of a link between two others, which it is joined to both of; and two neighbours with one free port
/// each, which the paper leaves so, are joined to the ends of another link in its place. One port is left free in all
/// if routers x degree is odd. Every draw follows from the seed.
class RandomGraph {
 public:
  RandomGraph(u32 routers, u32 degree, u64 seed) : degree_(degree), seed_(seed), near_(routers) {
    std::vector<u32> open(routers);
    for (u32 r = 0; r < routers; ++r) open[r] = r;
    join_at_random(open);
    for (const u32 r : open) {
      while (near_[r].size() + 2 <= degree_ && break_in(r)) {
      }
    }
    std::erase_if(open, [&](u32 r) { return near_[r].size() == degree_; });
    for (; open.size() >= 2; open.resize(open.size() - 2)) {
      const u32 a = open[open.size() - 1], b = open[open.size() - 2];
      if (linked(a, b))
        exchange(a, b);
      else
        join(a, b);
    }
  }

  [[nodiscard]] NeighbourLists take() {
    for (std::vector<u32>& list : near_) std::ranges::sort(list);
    return std::move(near_);
  }

 private:
  [[nodiscard]] u32 draw(u32 bound) {
    return engine::scale_to(engine::random_bits(seed_, 0, draws_++, engine::Use::targets), bound);
  }
  [[nodiscard]] bool linked(u32 a, u32 b) const { return std::ranges::find(near_[a], b) != near_[a].end(); }
  void join(u32 a, u32 b) {
    near_[a].push_back(b);
    near_[b].push_back(a);
  }
  void part(u32 a, u32 b) {
    std::erase(near_[a], b);
    std::erase(near_[b], a);
  }

  /// Leaves in `open` the routers with free ports.
  void join_at_random(std::vector<u32>& open) {
    constexpr u32 most_misses = 64;
    for (u32 misses = 0; open.size() > 1 && misses < most_misses;) {
      const u32 i = draw(static_cast<u32>(open.size())), k = draw(static_cast<u32>(open.size()));
      const u32 a = open[i], b = open[k];
      if (a == b || linked(a, b)) {
        ++misses;
        // With few left it is looked whether any two of them can be joined at all.
        if (misses == most_misses && any_pair(open)) misses = 0;
        continue;
      }
      misses = 0;
      join(a, b);
      std::erase_if(open, [&](u32 r) { return near_[r].size() == degree_; });
    }
  }
  [[nodiscard]] bool any_pair(const std::vector<u32>& open) const {
    for (std::size_t i = 0; i < open.size(); ++i)
      for (std::size_t k = i + 1; k < open.size(); ++k)
        if (!linked(open[i], open[k])) return true;
    return false;
  }

  /// Gives two neighbours a link more each, by taking one from two others.
  void exchange(u32 first, u32 second) {
    constexpr u32 most_trials = 100'000;
    for (u32 trial = 0; trial < most_trials; ++trial) {
      const u32 a = draw(static_cast<u32>(near_.size()));
      if (a == first || a == second || near_[a].empty()) continue;
      const u32 b = near_[a][draw(static_cast<u32>(near_[a].size()))];
      if (b == first || b == second || linked(first, a) || linked(second, b)) continue;
      part(a, b);
      join(first, a);
      join(second, b);
      return;
    }
  }

  /// Puts a router between two that are neighbours of each other, and of it not. False if there are none.
  bool break_in(u32 router) {
    constexpr u32 most_trials = 100'000;
    const u32 routers = static_cast<u32>(near_.size());
    for (u32 trial = 0; trial < most_trials; ++trial) {
      const u32 a = draw(routers);
      if (a == router || near_[a].empty()) continue;
      const u32 b = near_[a][draw(static_cast<u32>(near_[a].size()))];
      if (b == router || linked(router, a) || linked(router, b)) continue;
      part(a, b);
      join(router, a);
      join(router, b);
      return true;
    }
    return false;
  }

  u32 degree_;
  u64 seed_, draws_ = 0;
  NeighbourLists near_;
};

/// Ports to neighbours by their numbers, then nodes: node n is at router n / p. Routers that the draw leaves a port
/// free have it unconnected. Distances are counted when they are first asked for, from 64 routers at a time.
class Jellyfish final : public Topology {
 public:
  static constexpr u32 most_routers = 16'384;

  Jellyfish(u32 routers, u32 degree, u32 nodes_per_router, u64 seed)
      : degree_(degree), nodes_per_router_(nodes_per_router), near_(RandomGraph(routers, degree, seed).take()) {}

  [[nodiscard]] bool connected() const { return counted().reached == u64{routers()} * routers(); }

  u32 nodes() const override { return routers() * nodes_per_router_; }
  u32 routers() const override { return static_cast<u32>(near_.size()); }
  u32 ports(RouterId) const override { return degree_ + nodes_per_router_; }
  Peer peer(RouterId router, u32 port) const override {
    if (port >= degree_) return {Peer::Kind::node, router.value() * nodes_per_router_ + port - degree_, 0};
    const std::vector<u32>& near = near_[router.value()];
    if (port >= near.size()) return {};
    const std::vector<u32>& back = near_[near[port]];
    const auto place = std::ranges::lower_bound(back, router.value());
    return {Peer::Kind::router, near[port], static_cast<u32>(place - back.begin())};
  }
  RouterId router_of(NodeId node) const override { return RouterId{node.value() / nodes_per_router_}; }
  u32 port_of(NodeId node) const override { return degree_ + node.value() % nodes_per_router_; }
  bool direct() const override { return false; }
  u32 nodes_at(RouterId) const override { return nodes_per_router_; }
  u32 kind_ports(u32) const override { return degree_ + nodes_per_router_; }
  u32 group_nodes() const override { return nodes_per_router_; }

  u32 distance(NodeId from, NodeId to) const override {
    if (from == to) return 0;
    return 2 + counted().hops[std::size_t{router_of(from).value()} * routers() + router_of(to).value()];
  }
  u32 diameter() const override { return 2 + counted().most; }
  double mean_distance() const override {
    const double p = nodes_per_router_;
    return 2 + p * static_cast<double>(counted().sum) / routers() / (nodes() - 1.0);
  }
  /// What all links together carry; no bisection is looked for.
  double uniform_load_bound() const override {
    const double hops = mean_distance() - 2;
    return hops <= 0 ? 1.0 : std::min(1.0, 2.0 * static_cast<double>(router_links()) / (nodes() * hops));
  }
  u64 router_links() const override {
    u64 ends = 0;
    for (const std::vector<u32>& near : near_) ends += near.size();
    return ends / 2;
  }
  std::string name() const override {
    return fmt::format("Jellyfish of {} routers with {} links, {} nodes each", routers(), degree_, nodes_per_router_);
  }

 private:
  struct Distances {
    std::vector<u8> hops;  ///< [from][to]
    u64 sum = 0, reached = 0;
    u32 most = 0;
  };
  const Distances& counted() const {
    std::call_once(once_, [this] { count(); });
    return distances_;
  }
  /// One bit for each of 64 sources: who has been reached from it, hop by hop.
  void count() const {
    constexpr u32 at_once = 64;
    const u32 all = routers();
    distances_.hops.assign(std::size_t{all} * all, 0);
    std::vector<u64> reached(all), now(all);
    for (u32 first = 0; first < all; first += at_once) {
      const u32 sources = std::min(at_once, all - first);
      std::ranges::fill(reached, 0);
      for (u32 s = 0; s < sources; ++s) reached[first + s] = u64{1} << s;
      distances_.reached += sources;
      for (u32 hop = 1;; ++hop) {
        bool any = false;
        for (u32 r = 0; r < all; ++r) {
          u64 bits = 0;
          for (const u32 n : near_[r]) bits |= reached[n];
          now[r] = bits & ~reached[r];
          any |= now[r] != 0;
        }
        if (!any) break;
        for (u32 r = 0; r < all; ++r) {
          reached[r] |= now[r];
          for (u64 bits = now[r]; bits != 0; bits &= bits - 1) {
            const u32 s = first + static_cast<u32>(__builtin_ctzll(bits));
            distances_.hops[std::size_t{s} * all + r] = static_cast<u8>(std::min(hop, 255U));
            distances_.sum += hop;
            ++distances_.reached;
          }
        }
        distances_.most = std::max(distances_.most, hop);
      }
    }
  }

  u32 degree_, nodes_per_router_;
  NeighbourLists near_;
  mutable std::once_flag once_;
  mutable Distances distances_;
};

std::unique_ptr<Topology> make_jellyfish(const Parameters& keys) {
  const u32 routers = checked_count(keys, "routers", {3, Jellyfish::most_routers}, "a Jellyfish", 20);
  const u32 degree = checked_count(keys, "degree", {2, 1024}, "a Jellyfish", 4);
  const u32 nodes = checked_count(keys, "nodes_per_router", {1, 65'536}, "a Jellyfish", 4);
  if (degree >= routers) {
    refuse_shape("degree", std::to_string(degree),
                 fmt::format("there are {} routers, and no two have two links", routers),
                 fmt::format("degree = {}", routers - 1));
  }
  const i64 seed = keys.has("seed") ? keys.integer("seed") : 1;
  auto made = std::make_unique<Jellyfish>(routers, degree, nodes, static_cast<u64>(seed));
  if (!made->connected())
    refuse_shape("seed", std::to_string(seed), "the routers that it draws links for fall apart", "another seed");
  return made;
}

[[maybe_unused]] const bool jellyfish_registered = TopologyRegistry::instance().add(
    "jellyfish",
    {.help = "routers joined at random, as many links each (random regular graphs); keys: routers, degree, "
             "nodes_per_router, seed",
     .family = "random",
     .router = "forwarding-table",
     .partition = "",
     .settings = {row::integer("topology.routers", "routers", std::nullopt, {1, 1 << 30}, "number of routers."),
                  row::integer("topology.degree", "links", std::nullopt, {1, 1 << 20}, "links of a router to others."),
                  row::integer("topology.nodes_per_router", "nodes", std::nullopt, {1, 65'536}, "nodes of a router."),
                  row::integer("topology.seed", "", 1, {0, i64{1} << 40}, "of the links that are drawn.")},
     .make = make_jellyfish,
     .example = {{"routers", i64{9}}, {"degree", i64{4}}, {"nodes_per_router", i64{2}}, {"seed", i64{1}}}});

/// Two thirds of the ports to other routers, of routers with the radix, or with several.
std::vector<Parameters> jellyfishes_near(const SizeWish& wish) {
  std::vector<i64> radices = {12, 24, 36, 48, 64};
  if (wish.radix != 0) radices = {static_cast<i64>(wish.radix)};
  std::vector<Parameters> shapes;
  for (const i64 radix : radices) {
    const i64 nodes = std::max<i64>(1, radix / 3), degree = radix - nodes;
    const i64 routers = (static_cast<i64>(wish.nodes) + nodes - 1) / nodes;
    if (degree < 2 || routers <= degree || routers > Jellyfish::most_routers) continue;
    shapes.push_back({{"routers", routers}, {"degree", degree}, {"nodes_per_router", nodes}});
  }
  return shapes;
}

[[maybe_unused]] const bool jellyfishes_near_registered = add_shapes_near("jellyfish", jellyfishes_near);

}  // namespace
}  // namespace weft::models
