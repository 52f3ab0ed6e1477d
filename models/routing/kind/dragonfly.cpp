// Routing of dragonflies: the shortest path, through a group drawn at random (Valiant), or whichever of the two is less
// loaded (UGAL, PAR), free of deadlock by a higher channel behind each link between groups.
#include "models/topology/kind/dragonfly.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "models/routing/channel_classes.hpp"
#include "models/routing/kind/ugal.hpp"
#include "models/routing/router_kind.hpp"

namespace weft::models {
namespace {

const Dragonfly& as_dragonfly(const Topology& topology) {
  const auto* const dragonfly = dynamic_cast<const Dragonfly*>(&topology.whole());
  WEFT_ASSERT(dragonfly != nullptr);
  return *dragonfly;
}

enum class Mode : u8 { minimal, valiant, ugal_l, ugal_g, par };

/// Kim, Dally, Scott, Abts, "Technology-driven, highly-scalable dragonfly topology", ISCA 2008; par: Jiang, Kim, Dally,
/// "Indirect adaptive routing on large scale interconnection networks", ISCA 2009. RouteState: `low` the group to go
/// by, `high` a random draw for one of parallel links (par: for the second group too), `phase` links between groups
/// travelled, `spare` whether the packet has been misrouted behind its first link (par). Inside a group with
/// router.local_misrouting, until it is there: `low` the number of the router of the group to go by, behind those of
/// all groups.
///
/// Classes of channels: links inside groups and links between them are taken in the order local 0, global 0, local 1,
/// global 1, local 2..., one step further for packets that were misrouted, which take local 0 and then local 1 in their
/// first group. Inside a group the link to the last router is local 1, and one before it local 0. No packet takes two
/// links of a step, and none goes back: so no cycle of channels closes.
class DragonflyRouting final : public RoutingByClasses {
 public:
  DragonflyRouting(const Topology& topology, const RouterSettings& settings)
      : RoutingByClasses(settings.virtual_channels, classes_of(mode_named(settings.mode))),
        net_(as_dragonfly(topology)),
        mode_(mode_named(settings.mode)),
        ugal_(settings, mode_ == Mode::ugal_g),
        misroutes_inside_(mode_ != Mode::minimal && settings.own.has("local_misrouting") &&
                          settings.own.flag("local_misrouting") && net_.shape().routers_per_group > 2) {}

  void begin(RouteState& state, NodeId from, NodeId to, u64 bits) const override {
    const u32 source = group_of(from), target = group_of(to);
    state.low = target;
    state.high = static_cast<u32>(engine::remix(bits, 1) >> 32);
    if (mode_ != Mode::par) state.high = draw_of(link_drawn(state));
    if (mode_ != Mode::minimal && source != target) state.low = engine::scale_to(engine::remix(bits, 2), net_.groups());
    if (may_misroute_inside(from, to))
      state.low = by_router(from, to, engine::scale_to(engine::remix(bits, 2), net_.shape().routers_per_group - 2));
  }

  /// One of parallel links, and the group or router to go by.
  [[nodiscard]] u32 beginnings(NodeId from, NodeId to) const override {
    if (mode_ == Mode::par) return 0;
    if (may_misroute_inside(from, to)) return net_.shape().routers_per_group - 2;
    const bool non_minimal = mode_ != Mode::minimal && group_of(from) != group_of(to);
    return net_.links_between() * (non_minimal ? net_.groups() : 1);
  }
  void begin_as(RouteState& state, NodeId from, NodeId to, u32 number) const override {
    state.low = group_of(to);
    state.high = draw_of(number % net_.links_between());
    if (mode_ != Mode::minimal && group_of(from) != group_of(to)) state.low = number / net_.links_between();
    if (may_misroute_inside(from, to)) state.low = by_router(from, to, number);
  }

  [[nodiscard]] bool decides() const override { return mode_ >= Mode::ugal_l; }
  [[nodiscard]] bool uses_remote_occupancy() const override { return mode_ == Mode::ugal_g; }
  /// Inside groups, of links between them, and of those inside where packets may take two.
  [[nodiscard]] bool notifies(RouterId /*router*/, u32 port, u32 over) const override {
    return (is_global(port) || (misroutes_inside_ && is_local(port) && port != over)) && is_local(over);
  }

  /// At its first router, a packet goes by the group drawn if that path is less loaded; with par one that took the
  /// shortest path inside its group is asked again at the other end, for another group.
  void decide(RouteState& state, const QueuePlace& at, NodeId from, NodeId to,
              const Occupancy& outputs) const override {
    const RouterId here(at.router), last = net_.router_of(to);
    const u32 home = group_of(from), target = net_.group(last);
    const bool first = at.port >= net_.first_node_port();
    if (home == target && first && goes_by_router(state)) {
      const u32 number = net_.number(here), by = state.low - net_.groups(), to_number = net_.number(last);
      const CandidatePath straight{Dragonfly::local_port(number, to_number), CandidatePath::no_port, 1};
      const CandidatePath other{Dragonfly::local_port(number, by), Dragonfly::local_port(by, to_number), 2};
      if (ugal_.takes_shortest(straight, other, outputs)) state.low = target;
    }
    if (state.phase != 0 || home == target) return;
    if (!first && (mode_ != Mode::par || state.low != target)) return;
    if (!first) state.low = engine::scale_to(engine::remix(state.high, at.router), net_.groups());
    if (state.low == home) state.low = target;
    if (state.low == target) return;
    if (ugal_.takes_shortest(path(state, here, target, last), path(state, here, state.low, last), outputs)) {
      state.low = target;
    } else if (!first) {
      state.spare = 1;
    }
  }

  Verdict route(const QueuePlace& at, const PacketOnRoute& packet, Candidates& candidates) const override {
    const RouterId here(at.router), last = net_.router_of(packet.to);
    const u32 group = net_.group(here), target = net_.group(last);
    const bool inside = target == group_of(packet.from);
    if (goes_by_router(packet.state)) {
      const u32 by = packet.state.low - net_.groups();
      classes().add(candidates.outputs, Dragonfly::local_port(net_.number(here), by), 0);
      return Verdict::waits;
    }
    // Groups on the path: the one drawn, unless the packet has left its first group, and the last.
    const bool non_minimal = packet.state.phase == 0 && packet.state.low != group && !inside;
    const u32 next = non_minimal ? packet.state.low : target;
    const u32 step = packet.state.phase + packet.state.spare + (mode_ != Mode::minimal && inside ? 1U : 0U);
    const u32 port = next == group ? Dragonfly::local_port(net_.number(here), net_.number(last))
                                   : port_to_group(packet.state, here, next);
    classes().add(candidates.outputs, port, step);
    return Verdict::waits;
  }

  void leave(RouteState& state, const QueuePlace& at, u32 port, u32 /*channel*/) const override {
    if (is_global(port)) ++state.phase;
    if (goes_by_router(state)) state.low = net_.group(RouterId(at.router));
  }

  /// In by the channels of class 0, out by those of the class that the packet has come to.
  [[nodiscard]] Channels node_link_channels(const RouteState& state, bool to_node) const override {
    return classes().of(to_node ? state.phase : 0);
  }
  [[nodiscard]] static Mode mode_named(const std::string& name) { return mode_of<Mode>("dragonfly", name); }
  [[nodiscard]] static u32 classes_of(Mode mode) { return mode == Mode::minimal ? 2 : mode == Mode::par ? 4 : 3; }

 private:
  [[nodiscard]] u32 group_of(NodeId node) const { return net_.group(net_.router_of(node)); }
  [[nodiscard]] bool is_global(u32 port) const {
    return port >= net_.first_global_port() && port < net_.first_node_port();
  }
  [[nodiscard]] bool is_local(u32 port) const { return port < net_.first_global_port(); }
  /// Whether the packet is still to go by a router of its only group.
  [[nodiscard]] bool goes_by_router(const RouteState& state) const { return state.low >= net_.groups(); }
  [[nodiscard]] bool may_misroute_inside(NodeId from, NodeId to) const {
    return misroutes_inside_ && group_of(from) == group_of(to) && net_.router_of(from) != net_.router_of(to);
  }
  /// RouteState::low for the k-th router of a group besides those of two nodes.
  [[nodiscard]] u32 by_router(NodeId from, NodeId to, u32 k) const {
    const u32 a = net_.number(net_.router_of(from)), b = net_.number(net_.router_of(to));
    u32 by = k + (k >= std::min(a, b) ? 1 : 0);
    by += by >= std::max(a, b) ? 1 : 0;
    return net_.groups() + by;
  }
  /// Which of parallel links a packet takes; and the least draw that says so.
  [[nodiscard]] u32 link_drawn(const RouteState& state) const {
    return static_cast<u32>((u64{state.high} * net_.links_between()) >> 32);
  }
  [[nodiscard]] u32 draw_of(u32 link) const {
    const u64 links = net_.links_between();
    return static_cast<u32>(((u64{link} << 32) + links - 1) / links);
  }
  /// The link that a packet takes from one group to another.
  [[nodiscard]] Dragonfly::GlobalLink link_to(const RouteState& state, u32 group, u32 next) const {
    return net_.global_link(group, next, link_drawn(state));
  }
  [[nodiscard]] u32 port_to_group(const RouteState& state, RouterId here, u32 next) const {
    const Dragonfly::GlobalLink out = link_to(state, net_.group(here), next);
    const u32 number = net_.number(here);
    return out.from_number == number ? out.from_port : Dragonfly::local_port(number, out.from_number);
  }
  /// From a router of another group to the last one, through a group or straight there.
  [[nodiscard]] CandidatePath path(const RouteState& state, RouterId here, u32 by, RouterId last) const {
    const u32 target = net_.group(last), number = net_.number(here);
    const Dragonfly::GlobalLink out = link_to(state, net_.group(here), by);
    CandidatePath found{port_to_group(state, here, by)};
    const bool local_first = out.from_number != number;
    if (local_first) found.second = out.from_port;
    found.links = 1 + (local_first ? 1 : 0);
    u32 at = out.to_number;
    if (by != target) {
      const Dragonfly::GlobalLink on = link_to(state, by, target);
      found.links += 1 + (on.from_number != at ? 1 : 0);
      at = on.to_number;
    }
    found.links += at != net_.number(last) ? 1 : 0;
    return found;
  }

  const Dragonfly& net_;
  Mode mode_;
  Ugal ugal_;
  bool misroutes_inside_;  ///< packets that stay in their group may go by a third router of it
};

std::optional<Complaint> check_dragonfly(const RouterChoice& choice) {
  const i64 least = DragonflyRouting::classes_of(DragonflyRouting::mode_named(choice.mode));
  if (choice.keys.integer("virtual_channels") < least && !choice.unsafe()) {
    return Complaint{"router.virtual_channels",
                     fmt::format("deadlocks with routing = \"{}\" (a higher channel is taken behind each link between "
                                 "groups)",
                                 choice.mode),
                     fmt::format("use virtual_channels = {}, or deadlock.unsafe = true to see it happen", least)};
  }
  if (choice.mode == "minimal" && choice.keys.flag("local_misrouting")) {
    return Complaint{"router.local_misrouting", "has no effect with routing = \"minimal\" (it takes shortest paths)",
                     "remove it, or use routing = \"valiant\""};
  }
  return {};
}

std::vector<Setting> dragonfly_settings() {
  std::vector<Setting> rows = ugal_settings();
  rows.push_back(row::boolean(
      "router.local_misrouting", false,
      "of all modes but minimal: packets that stay in their group may go by a third router of it, drawn at random, as "
      "those between groups by a group: with valiant always, else if less waits for that (times links)."));
  return rows;
}

/// A mode that goes by output occupancy.
RouterMode adaptive_mode(Mode value, const std::string& name, const std::string& help) {
  return RouterMode::row_of(value, {.name = name,
                                    .help = help,
                                    .shortest_paths = false,
                                    .by_occupancy = true,
                                    .asks_neighbours = value == Mode::ugal_g});
}

[[maybe_unused]] const bool dragonfly_registered = RouterRegistry::instance().add(
    "dragonfly",
    {.help = "routers of dragonflies. Packets take channel 0 until they have left their group, and the next higher one "
             "behind each link between groups, so that no cycle of channels closes (those that never leave their group "
             "take channel 1 in mode "
             "valiant). More channels than a mode needs are shared out among those.",
     .families = {"dragonfly"},
     .modes =
         {RouterMode::row_of(
              Mode::minimal,
              {"minimal",
               "to the router with the link to the other group, over it, and on to the last router. The default."}),
          RouterMode::row_of(
              Mode::valiant,
              {"valiant",
               "between groups through a group drawn at random, so that no pattern overloads a link; needs 3 channels.",
               false}),
          adaptive_mode(Mode::ugal_l, "ugal-l",
                        "the shortest path, or through a group drawn at random if less waits for that at the first "
                        "router (times links); needs 3 channels."),
          adaptive_mode(Mode::ugal_g, "ugal-g",
                        "the same, with what waits for the links between groups at "
                        "the other routers of the group (remote congestion information); needs 3 channels."),
          adaptive_mode(Mode::par, "par",
                        "as ugal-l, and packets on the shortest path are asked again, for another group, at the "
                        "router whose link leads out of their group; needs 4 channels.")},
     .settings = dragonfly_settings(),
     .check = check_dragonfly,
     .routing = [](const Topology& topology, const RouterSettings& settings) -> std::unique_ptr<Routing> {
       return std::make_unique<DragonflyRouting>(topology, settings);
     },
     .has_loop = {},
     .bytes = {}});

}  // namespace
}  // namespace weft::models
