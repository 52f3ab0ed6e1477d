// Routing of fat trees: up to a common ancestor by digits of a number, at random or by credits, and down again.
#include "models/topology/kind/fat_tree.hpp"

#include "engine/base/error.hpp"
#include "models/routing/router_kind.hpp"
#include "models/topology/tree_math.hpp"

namespace weft::models {
namespace {

const FatTree& as_fat_tree(const Topology& topology) {
  const auto* const tree = dynamic_cast<const FatTree*>(&topology.whole());
  WEFT_ASSERT(tree != nullptr);
  return *tree;
}

enum class FatTreeMode : u8 { d_mod_k, s_mod_k, random, adaptive_up };

/// Nobody goes up who has gone down, so the channels are in an order and one is enough. d-mod-k: Zahavi, "D-Mod-K
/// routing providing non-blocking traffic for shift permutations on real life fat trees", 2010: the links up of a
/// switch of level l, parents first, are numbered 0 to w p - 1, and a packet for node d takes (d / W) mod (w p), where
/// W is the product of w of all levels below; the same of parallel links down. s-mod-k: by the source's number.
/// RouteState (random): `low` the number of the route, whose digits are the links up, those of the lowest level first.
class FatTreeRouting final : public Routing {
 public:
  FatTreeRouting(const Topology& topology, const RouterSettings& settings)
      : math_(tree_geometry(topology)),
        channels_(settings.virtual_channels),
        mode_(mode_of<Mode>("fat-tree", settings.mode)) {
    const FatTree& tree = as_fat_tree(topology);
    u64 product = 1, ways = 1;
    for (u32 level = 0; level < math_.levels(); ++level) {
      parallel_.push_back(level + 1 < math_.levels() ? tree.parallel(level) : 1);
      below_.push_back(product);
      ways_.push_back(ways);
      product *= std::max(1U, math_.up_ports(level));
      ways = std::min<u64>(most_routes, ways * std::max(1U, math_.up_ports(level)) * parallel_.back());
    }
  }

  void begin(RouteState& state, NodeId from, NodeId to, u64 bits) const override {
    if (mode_ == Mode::random) state.low = engine::scale_to(engine::remix(bits, 1), routes(from, to));
  }
  /// Number of routes up to the nearest common ancestors.
  [[nodiscard]] u32 routes(NodeId from, NodeId to) const override {
    return static_cast<u32>(ways_[math_.meeting_level(from, to)]);
  }
  void take(RouteState& state, NodeId /*from*/, NodeId /*to*/, u32 route) const override { state.low = route; }
  [[nodiscard]] u32 beginnings(NodeId from, NodeId to) const override {
    return mode_ == Mode::random ? routes(from, to) : 1;
  }
  void begin_as(RouteState& state, NodeId /*from*/, NodeId /*to*/, u32 number) const override { state.low = number; }
  [[nodiscard]] u32 route_taken(const RouteState& state, NodeId /*from*/, NodeId /*to*/) const override {
    return state.low;
  }

  Verdict route(const QueuePlace& at, const PacketOnRoute& packet, Candidates& candidates) const override {
    const TreeMath::Place place = math_.place(RouterId(at.router));
    const u32 parents = math_.up_ports(place.level), ups = parents * parallel_[place.level];
    if (!math_.is_ancestor(place, packet.to)) {
      if (mode_ == Mode::adaptive_up) {
        candidates.outputs.add_range(0, ups * channels_);
      } else {
        candidates.outputs.add_range(choose(packet, place.level, ups) * channels_, channels_);
      }
      return Verdict::waits;
    }
    const u32 children = math_.down_ports(place.level);
    const u32 digit = math_.down_port(place.level, packet.to) - parents;
    const u32 copies = place.level == 0 ? 1 : parallel_[place.level - 1];
    // The copy that d-mod-k has on the way up to this level, where parents come first.
    const u32 only = copies == 1 || mode_ == Mode::adaptive_up
                         ? 0
                         : choose(packet, place.level - 1, math_.up_ports(place.level - 1) * copies) /
                               math_.up_ports(place.level - 1);
    const u32 last = mode_ == Mode::adaptive_up ? copies - 1 : only;
    for (u32 copy = only; copy <= last; ++copy) {
      candidates.outputs.add_range((ups + copy * children + digit) * channels_, channels_);
    }
    return Verdict::waits;
  }

  /// The channel with most free space, also one that another packet holds: it is waited for.
  u32 request(const RouterView& router, const Candidates& candidates, u32& /*memory*/, u64 bits) const override {
    return router.emptiest(candidates.outputs, bits);
  }

  [[nodiscard]] bool goes_by_source() const override { return mode_ == Mode::s_mod_k; }

 private:
  using Mode = FatTreeMode;
  static constexpr u64 most_routes = ~u32{0};
  /// Which of the links between a level and the next.
  [[nodiscard]] u32 choose(const PacketOnRoute& packet, u32 level, u32 links) const {
    if (mode_ == Mode::random) return static_cast<u32>(packet.state.low / ways_[level] % links);
    const u32 number = mode_ == Mode::d_mod_k ? packet.to.value() : packet.from.value();
    return static_cast<u32>(number / below_[level] % links);
  }

  TreeMath math_;
  u32 channels_;
  Mode mode_;
  std::vector<u32> parallel_;  ///< links between a switch of a level and each parent, [level]
  std::vector<u64> below_;     ///< product of the parents of switches of all levels below, [level]
  std::vector<u64> ways_;      ///< product of the links up of those, copies of parallel ones told apart, [level]
};

[[maybe_unused]] const bool fat_tree_registered = RouterRegistry::instance().add(
    "fat-tree",
    {.help = "routers of fat trees, also with parallel links: up to a common ancestor by one of several rules, and "
             "down to the destination. Nobody goes up who has gone down, so one channel is enough.",
     .families = {"tree", "pgft"},
     .modes =
         {RouterMode::row_of(
              FatTreeMode::d_mod_k,
              {"d-mod-k",
               "up by the digits of the destination's number: shift permutations meet nowhere in full trees, and all "
               "packets for a node come down one path. The default."}),
          RouterMode::row_of(FatTreeMode::s_mod_k, {"s-mod-k", "up by the digits of the source's number."}),
          RouterMode::row_of(
              FatTreeMode::random,
              {.name = "random",
               .help =
                   "up at random, drawn for each packet (of switches: or flow, router.route_per); or as NICs choose "
                   "(nic.dispersion).",
               .routes_have_numbers = true}),
          RouterMode::row_of(
              FatTreeMode::adaptive_up,
              {"adaptive-up", "any link up, and any of parallel links down: the one with most free space."})},
     .settings = {},
     .check = {},
     .routing = [](const Topology& topology, const RouterSettings& settings) -> std::unique_ptr<Routing> {
       return std::make_unique<FatTreeRouting>(topology, settings);
     },
     .has_loop = {},
     .bytes = {}});

}  // namespace
}  // namespace weft::models
