// Routing of dragonflies+: up to a spine, over a link between groups, down to the leaf; the shortest path, through
// a group drawn at random (Valiant), or whichever of the two is less loaded (UGAL, FPAR).
#include "models/topology/kind/dragonfly_plus.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "models/routing/channel_classes.hpp"
#include "models/routing/kind/ugal.hpp"
#include "models/routing/occupancy.hpp"
#include "models/routing/router_kind.hpp"

namespace weft::models {
namespace {

const DragonflyPlus& as_dragonfly_plus(const Topology& topology) {
  const auto* const net = dynamic_cast<const DragonflyPlus*>(&topology.whole());
  WEFT_ASSERT(net != nullptr);
  return *net;
}

/// In the order in which the kind registers them.
enum class DragonflyPlusMode : u8 { minimal, adaptive, valiant, ugal_l, ugal_g, fpar };

/// Shpiner et al., "Dragonfly+: low cost topology for scaling datacenters", HiPINEB 2017. RouteState: `low` the group
/// to go to first, `high` random bits for all else that is drawn, `phase` links between groups travelled.
///
/// Free of deadlock: a packet only ever goes on to channels that come later in the order
///   up 0 < global 0 < down 0 < up 1 < global 1 < down 1
/// where the number is that of a class of channels. Shortest routes are free in a single one, since up < global < down
/// is an order of links already. Others turn in the group on their way: a spine with a link to the last group takes
/// them from global 0 to global 1, others by down 0 to a leaf and up 1 to a spine that has it. Whoever goes down in
/// class 1 goes to the leaf of its destination. Which group a packet goes through is fixed in its own group, so
/// no revision takes it back in the order.
class DragonflyPlusRouting final : public RoutingByClasses {
 public:
  using Mode = DragonflyPlusMode;

  DragonflyPlusRouting(const Topology& topology, const RouterSettings& settings)
      : RoutingByClasses(settings.virtual_channels, classes_of(mode_named(settings.mode))),
        net_(as_dragonfly_plus(topology)),
        mode_(mode_named(settings.mode)),
        ugal_(settings, mode_ == Mode::ugal_g) {}

  void begin(RouteState& state, NodeId from, NodeId to, u64 bits) const override {
    const u32 source = net_.group_of(from), target = net_.group_of(to);
    state.low = target;
    state.high = static_cast<u32>(engine::remix(bits, 1) >> 32);
    if (source == target) return;
    const u64 random = engine::remix(bits, 2);
    if (mode_ == Mode::valiant) {
      const u32 intermediate = engine::scale_to(random, net_.groups());
      if (intermediate != source) state.low = intermediate;
    } else if (decides() && net_.groups() > 2) {
      state.low = engine::scale_to(random, net_.groups() - 2);
      if (state.low >= std::min(source, target)) ++state.low;
      if (state.low >= std::max(source, target)) ++state.low;
    }
  }

  Verdict route(const QueuePlace& at, const PacketOnRoute& packet, Candidates& candidates) const override {
    const RouterId here(at.router), last = net_.router_of(packet.to);
    const RouteState& state = packet.state;
    const u32 home = net_.group(here), target = net_.group(last), next = next_group(state, target);
    const auto add = [&](u32 port, u32 number) { classes().add(candidates.outputs, port, number); };
    if (net_.is_leaf(here)) {
      for_up_ports(home, next, state, [&](u32 port) { add(port, state.phase); });
    } else if (home == target) {
      for_down_ports(net_.number(last), state, [&](u32 port) { add(port, 1); });
    } else if (!for_global_ports(here, next, state, [&](u32 port) { add(port, state.phase); })) {
      const u32 leaves = net_.shape().leaves, drawn = random_of(state, middle_leaf, leaves);
      for (u32 leaf = wide() ? 0 : drawn; leaf < (wide() ? leaves : drawn + 1); ++leaf) {
        for_down_ports(leaf, state, [&](u32 port) { add(port, 0); });
      }
    }
    return Verdict::waits;
  }
  [[nodiscard]] bool goes_by_source() const override { return false; }

  void leave(RouteState& state, const QueuePlace& at, u32 port, u32 /*channel*/) const override {
    if (!net_.is_leaf(RouterId(at.router)) && port >= net_.first_global_port()) ++state.phase;
  }

  /// In by the channels of class 0.
  [[nodiscard]] Channels node_link_channels(const RouteState& /*state*/, bool to_node) const override {
    return to_node ? Channels{} : classes().of(0);
  }
  [[nodiscard]] static Mode mode_named(const std::string& name) { return mode_of<Mode>("dragonfly-plus", name); }
  [[nodiscard]] static u32 classes_of(Mode mode) { return mode == Mode::minimal || mode == Mode::adaptive ? 1 : 2; }

  [[nodiscard]] bool decides() const override { return mode_ >= Mode::ugal_l; }
  [[nodiscard]] bool uses_remote_occupancy() const override { return mode_ == Mode::ugal_g; }
  void decide(RouteState& state, const QueuePlace& at, NodeId /*from*/, NodeId to,
              const Occupancy& outputs) const override {
    const RouterId here(at.router);
    const u32 target = net_.group_of(to);
    if (state.phase > 0 || net_.group(here) == target) return;
    if (net_.is_leaf(here)) {
      decide_at_leaf(state, net_.group(here), target, outputs);
    } else if (mode_ == Mode::fpar) {
      revise_at_spine(state, here, target, outputs);
    }
  }
  /// Spines tell their leaves of their links to other groups.
  [[nodiscard]] bool notifies(RouterId router, u32 port, u32 over) const override {
    return !net_.is_leaf(router) && port >= net_.first_global_port() && over < net_.first_global_port();
  }

 private:
  /// What is drawn from RouteState::high.
  enum Draw : u32 { up_spine, up_link, global_link, down_link, middle_leaf, other_port, draws };

  /// One of `count` at random; another draw in each phase.
  [[nodiscard]] static u32 random_of(const RouteState& state, Draw draw, u32 count) {
    return count == 1 ? 0 : engine::scale_to(engine::remix(state.high, state.phase * draws + draw), count);
  }
  /// Whether all paths that are as short are candidates, in place of one at random.
  [[nodiscard]] bool wide() const { return mode_ == Mode::adaptive || mode_ == Mode::fpar; }
  [[nodiscard]] static u32 next_group(const RouteState& state, u32 target) {
    return state.phase == 0 ? state.low : target;
  }

  /// Calls f for the ports of one of the spines of group `home` that lead to group `next`, or all; inside the group any
  /// spine does.
  template <class F>
  void for_up_ports(u32 home, u32 next, const RouteState& state, F&& f) const {
    const u32 paths = home == next ? net_.shape().spines : net_.links_between();
    const u32 links = net_.shape().parallel_links;
    const auto spine = [&](u32 path) { return home == next ? path : net_.global_port(home, next, path).spine; };
    if (!wide()) return f(net_.up_port(spine(random_of(state, up_spine, paths)), random_of(state, up_link, links)));
    for (u32 path = 0; path < paths; ++path) {
      for (u32 link = 0; link < links; ++link) f(net_.up_port(spine(path), link));
    }
  }
  template <class F>
  void for_down_ports(u32 leaf, const RouteState& state, F&& f) const {
    const u32 links = net_.shape().parallel_links;
    if (!wide()) return f(net_.down_port(leaf, random_of(state, down_link, links)));
    for (u32 link = 0; link < links; ++link) f(net_.down_port(leaf, link));
  }
  /// Calls f for one of a spine's own ports to group `next`, or all; false if it has none.
  template <class F>
  bool for_global_ports(RouterId spine, u32 next, const RouteState& state, F&& f) const {
    const u32 home = net_.group(spine);
    const GlobalLinks::Range links = net_.links_of_spine(home, next, net_.number(spine));
    if (links.count == 0) return false;
    const u32 drawn = random_of(state, global_link, links.count);
    for (u32 k = wide() ? 0 : drawn; k < (wide() ? links.count : drawn + 1); ++k) {
      f(net_.global_port(home, next, links.first + k).port);
    }
    return true;
  }

  /// Whether a path is better than the best so far (no links: there is none): its port is less loaded, or as much and
  /// it has fewer links.
  [[nodiscard]] static bool better(const CandidatePath& path, const CandidatePath& best, const Occupancy& outputs) {
    if (path.links == 0 || best.links == 0) return path.links > 0;
    const u32 load = outputs.load(path.port), least = outputs.load(best.port);
    return load < least || (load == least && path.links < best.links);
  }
  /// From a port of a spine to another group, on to the last leaf; of several the best. No links if it has no such
  /// port.
  [[nodiscard]] CandidatePath path_over(RouterId spine, u32 next, u32 target, const RouteState& state,
                                        const Occupancy& outputs) const {
    CandidatePath path;
    for_global_ports(spine, next, state, [&](u32 port) {
      const CandidatePath found{port, CandidatePath::no_port, links_over(spine, port, target)};
      if (better(found, path, outputs)) path = found;
    });
    return path;
  }
  /// From a leaf to another group, and on to the last leaf; of several the best.
  [[nodiscard]] CandidatePath path_up(u32 home, u32 next, u32 target, const RouteState& state,
                                      const Occupancy& outputs) const {
    CandidatePath path;
    for_up_ports(home, next, state, [&](u32 up) {
      const RouterId spine = net_.spine(home, up / net_.shape().parallel_links);
      CandidatePath found;
      for_global_ports(spine, next, state, [&](u32 port) {
        const u32 links = 1 + links_over(spine, port, target);
        if (found.links == 0 || links < found.links) found = {up, port, links};
      });
      if (better(found, path, outputs)) path = found;
    });
    return path;
  }
  /// Links from a port of a spine that leads to another group on to the last leaf.
  [[nodiscard]] u32 links_over(RouterId spine, u32 port, u32 target) const {
    const RouterId far(net_.peer(spine, port).id);
    const u32 there = net_.group(far);
    if (there == target) return 2;
    return net_.links_of_spine(there, target, net_.number(far)).count > 0 ? 3 : 5;
  }

  /// Between the shortest path and that through the group that was drawn.
  void decide_at_leaf(RouteState& state, u32 home, u32 target, const Occupancy& outputs) const {
    if (state.low == target) return;
    const CandidatePath shortest = path_up(home, target, target, state, outputs);
    const CandidatePath other = path_up(home, state.low, target, state, outputs);
    if (ugal_.takes_shortest(shortest, other, outputs)) state.low = target;
  }
  /// Anew at the spine, if it has a link to the last group: against that group by which the packet was to go, or else
  /// that at one of its ports at random.
  void revise_at_spine(RouteState& state, RouterId here, u32 target, const Occupancy& outputs) const {
    const CandidatePath shortest = path_over(here, target, target, state, outputs);
    if (shortest.links == 0) return;
    u32 intermediate = state.low;
    if (intermediate == target) {
      const u32 drawn = random_of(state, other_port, net_.shape().global_links);
      const Peer far = net_.peer(here, net_.first_global_port() + drawn);
      if (far.kind != Peer::Kind::router) return;
      intermediate = net_.group(RouterId(far.id));
      if (intermediate == target) return;
    }
    const CandidatePath other = path_over(here, intermediate, target, state, outputs);
    state.low = ugal_.takes_shortest(shortest, other, outputs) ? target : intermediate;
  }

  const DragonflyPlus& net_;
  Mode mode_;
  Ugal ugal_;
};

/// A mode that goes by output occupancy.
RouterMode by_occupancy(DragonflyPlusMode value, const std::string& name, const std::string& help,
                        const std::string& also = "") {
  return RouterMode::row_of(value, {.name = name,
                                    .help = help,
                                    .shortest_paths = false,
                                    .also = also,
                                    .by_occupancy = true,
                                    .asks_neighbours = value == DragonflyPlusMode::ugal_g});
}

std::optional<Complaint> check_dragonfly_plus(const RouterChoice& choice) {
  const i64 least = DragonflyPlusRouting::classes_of(DragonflyPlusRouting::mode_named(choice.mode));
  if (choice.keys.integer("virtual_channels") < least && !choice.unsafe()) {
    return Complaint{"router.virtual_channels",
                     fmt::format("deadlocks with routing = \"{}\" (packets go up and down again in the intermediate "
                                 "group, in a channel of their own each time)",
                                 choice.mode),
                     fmt::format("use virtual_channels = {}", least)};
  }
  return {};
}

[[maybe_unused]] const bool dragonfly_plus_registered = RouterRegistry::instance().add(
    "dragonfly-plus",
    {.help =
         "routers of dragonflies+ (megafly). Packets go up, over a link between groups and down; those that go "
         "through another group do that twice, in channel 0 until they are at a leaf or a spine of that group, then "
         "in channel 1, so that no cycle of channels closes. More channels are shared out among the two; shortest "
         "paths take any.",
     .families = {"dragonfly-plus"},
     .modes =
         {RouterMode::row_of(
              DragonflyPlusMode::minimal,
              {"minimal",
               "over one link between groups, at random where there are several. The default; 1 channel is enough."}),
          RouterMode::row_of(DragonflyPlusMode::adaptive,
                             {"adaptive", "the same over any equally short path with free space, in any channel."}),
          RouterMode::row_of(
              DragonflyPlusMode::valiant,
              {"valiant",
               "between groups through a group drawn at random, so that no pattern overloads a link; needs 2 channels.",
               false}),
          by_occupancy(
              DragonflyPlusMode::ugal_l, "ugal-l",
              "the shortest path, or through a group drawn at random if less waits for that at the leaf (times "
              "links); needs 2 channels."),
          by_occupancy(DragonflyPlusMode::ugal_g, "ugal-g",
                       "the same, with what waits at the spines for their links to other groups (remote congestion "
                       "information); needs 2 channels."),
          by_occupancy(DragonflyPlusMode::fpar, "fpar",
                       "as ugal-l, decided anew at the spine of the first group, over "
                       "any equally short path with free space; needs 2 channels.",
                       "par")},
     .settings = ugal_settings(),
     .check = check_dragonfly_plus,
     .routing = [](const Topology& topology, const RouterSettings& settings) -> std::unique_ptr<Routing> {
       return std::make_unique<DragonflyPlusRouting>(topology, settings);
     },
     .has_loop = {},
     .bytes = {}});

}  // namespace
}  // namespace weft::models
