// Routing of Slim Flies, PolarFlies and other networks of diameter 2: the shortest path, through a router drawn at
// random (Valiant), or whichever of the two is less loaded (UGAL), free of deadlock by a higher channel at each hop.
#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "models/routing/channel_classes.hpp"
#include "models/routing/kind/ugal.hpp"
#include "models/routing/router_kind.hpp"
#include "models/topology/kind/two_hops.hpp"

namespace weft::models {
namespace {

const TwoHopNetwork& as_two_hops(const Topology& topology) {
  const auto* const net = dynamic_cast<const TwoHopNetwork*>(&topology.whole());
  WEFT_ASSERT(net != nullptr);
  return *net;
}

enum class FlyMode : u8 { minimal, valiant, ugal_l, ugal_g };

/// The rule of UGAL without bias and threshold: which of two drawn paths is the better.
RouterSettings without_preference(RouterSettings settings) {
  settings.own.set("ugal_bias_cells", i64{0});
  settings.own.set("ugal_threshold_cells", i64{0});
  return settings;
}

/// Besta, Hoefler, "Slim Fly: a cost effective low-diameter network topology", SC 2014, section IV. RouteState: `low`
/// the router to go by, that of the destination for the shortest path; `high` random bits for routers between; `phase`
/// links between routers travelled; `spare` whether the packet has left the router to go by.
///
/// Classes of channels: the i-th link between routers is taken in class i, so packets wait for packets in higher
/// classes only, and no cycle closes: 2 classes for shortest paths, 4 for two shortest paths one behind the other.
class SlimFlyRouting final : public RoutingByClasses {
 public:
  SlimFlyRouting(const Topology& topology, const RouterSettings& settings)
      : RoutingByClasses(settings.virtual_channels, classes_of(mode_named(settings.mode))),
        net_(as_two_hops(topology)),
        mode_(mode_named(settings.mode)),
        drawn_(static_cast<u32>(settings.own.integer("ugal_candidates"))),
        ugal_(settings, mode_ == FlyMode::ugal_g),
        better_(without_preference(settings), mode_ == FlyMode::ugal_g) {}

  void begin(RouteState& state, NodeId from, NodeId to, u64 bits) const override {
    const RouterId first = net_.router_of(from), last = net_.router_of(to);
    state.high = static_cast<u32>(engine::remix(bits, 1) >> 32);
    state.low = last.value();
    if (mode_ == FlyMode::valiant && first != last) state.low = draw(first, last, engine::remix(bits, 2)).value();
  }

  [[nodiscard]] bool decides() const override { return mode_ >= FlyMode::ugal_l; }
  [[nodiscard]] bool uses_remote_occupancy() const override { return mode_ == FlyMode::ugal_g; }
  [[nodiscard]] bool notifies(RouterId router, u32 port, u32 over) const override {
    return std::max(port, over) < net_.links_of(router);
  }

  /// At its first router a packet goes by the best of the routers drawn if that path is less loaded.
  void decide(RouteState& state, const QueuePlace& at, NodeId /*from*/, NodeId to,
              const Occupancy& outputs) const override {
    const RouterId here(at.router), last = net_.router_of(to);
    if (state.phase != 0 || here == last) return;
    RouterId by{};
    CandidatePath best;
    for (u32 k = 0; k < drawn_; ++k) {
      const RouterId next = draw(here, last, engine::remix(state.high, k));
      const CandidatePath drawn = path(state, here, next, last);
      if (k > 0 && better_.takes_shortest(best, drawn, outputs)) continue;
      by = next;
      best = drawn;
    }
    if (!ugal_.takes_shortest(path(state, here, last, last), best, outputs)) state.low = by.value();
  }

  Verdict route(const QueuePlace& at, const PacketOnRoute& packet, Candidates& candidates) const override {
    const RouterId here(at.router), by(packet.state.low);
    const RouterId next = packet.state.spare != 0 || here == by ? net_.router_of(packet.to) : by;
    classes().add(candidates.outputs, port_towards(packet.state, here, next), packet.state.phase);
    return Verdict::waits;
  }

  void leave(RouteState& state, const QueuePlace& at, u32 port, u32 /*channel*/) const override {
    if (port >= net_.links_of(RouterId(at.router))) return;
    ++state.phase;
    if (at.router == state.low) state.spare = 1;
  }

  [[nodiscard]] bool goes_by_source() const override { return false; }

  [[nodiscard]] static FlyMode mode_named(const std::string& name) { return mode_of<FlyMode>("slim-fly", name); }
  [[nodiscard]] static u32 classes_of(FlyMode mode) { return mode == FlyMode::minimal ? 2 : 4; }

 private:
  /// A router that is neither of two.
  [[nodiscard]] RouterId draw(RouterId first, RouterId last, u64 bits) const {
    const auto [low, high] = std::minmax({first.value(), last.value()});
    u32 drawn = engine::scale_to(bits, net_.routers() - 2);
    drawn += drawn >= low ? 1 : 0;
    drawn += drawn >= high ? 1 : 0;
    return RouterId(drawn);
  }
  [[nodiscard]] RouterId between(const RouteState& state, RouterId here, RouterId next) const {
    return net_.between(here, next, engine::remix(state.high, next.value()));
  }
  /// Port at `here` of the shortest path to another router.
  [[nodiscard]] u32 port_towards(const RouteState& state, RouterId here, RouterId next) const {
    const u32 port = net_.port_to(here, next);
    return port != TwoHopNetwork::no_port ? port : net_.port_to(here, between(state, here, next));
  }
  /// From a router to the last one, through a router or straight there.
  [[nodiscard]] CandidatePath path(const RouteState& state, RouterId here, RouterId by, RouterId last) const {
    CandidatePath found{port_towards(state, here, by)};
    found.links = net_.hops(here, by) + net_.hops(by, last);
    if (found.links == 1) return found;
    const RouterId second(net_.peer(here, found.port).id);
    found.second = port_towards(state, second, second == by ? last : by);
    return found;
  }

  const TwoHopNetwork& net_;
  FlyMode mode_;
  u32 drawn_;
  Ugal ugal_, better_;
};

std::optional<Complaint> check_slim_fly(const RouterChoice& choice) {
  const i64 least = SlimFlyRouting::classes_of(SlimFlyRouting::mode_named(choice.mode));
  if (choice.keys.integer("virtual_channels") < least && !choice.unsafe()) {
    return Complaint{"router.virtual_channels",
                     fmt::format("deadlocks with routing = \"{}\" (each link between routers is taken in a higher "
                                 "channel)",
                                 choice.mode),
                     fmt::format("use virtual_channels = {}", least)};
  }
  return {};
}

RouterMode by_load(FlyMode value, const std::string& name, const std::string& help) {
  return RouterMode::row_of(value, {.name = name,
                                    .help = help,
                                    .shortest_paths = false,
                                    .by_occupancy = true,
                                    .asks_neighbours = value == FlyMode::ugal_g});
}

std::vector<Setting> slim_fly_settings() {
  std::vector<Setting> rows = ugal_settings();
  rows.push_back(row::integer(
      "router.ugal_candidates", "routers", 1, {1, 16},
      "of ugal-l and ugal-g: so many intermediate routers are drawn, and the best path through one of them "
      "is weighed against the shortest."));
  return rows;
}

[[maybe_unused]] const bool slim_fly_registered = RouterRegistry::instance().add(
    "slim-fly",
    {.help = "routers of Slim Flies and PolarFlies. Packets take a higher channel at each hop between routers, so that "
             "no cycle of "
             "channels closes. More channels than a mode needs are shared out among those.",
     .families = {"two-hops"},
     .modes = {RouterMode::row_of(
                   FlyMode::minimal,
                   {"minimal",
                    "straight there, or by a router that both ends are linked to, of several one at random; needs 2 "
                    "channels. The default."}),
               RouterMode::row_of(
                   FlyMode::valiant,
                   {"valiant",
                    "through a router drawn at random, so that no pattern overloads a link; needs 4 channels.", false}),
               by_load(FlyMode::ugal_l, "ugal-l",
                       "the shortest path, or through a router drawn at random if less waits for that at the first "
                       "router (times links); needs 4 channels."),
               by_load(FlyMode::ugal_g, "ugal-g",
                       "the same, with what waits for the second link at the next router (remote congestion "
                       "information); needs 4 channels.")},
     .settings = slim_fly_settings(),
     .check = check_slim_fly,
     .routing = [](const Topology& topology, const RouterSettings& settings) -> std::unique_ptr<Routing> {
       return std::make_unique<SlimFlyRouting>(topology, settings);
     },
     .has_loop = {},
     .bytes = {}});

}  // namespace
}  // namespace weft::models
