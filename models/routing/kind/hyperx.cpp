// Routing of HyperX networks: in order of dimensions, over any dimension in any order, through a router drawn at random
// (Valiant), or misrouting where that is less loaded (UGAL, DAL).
#include "models/topology/kind/hyperx.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "models/routing/channel_classes.hpp"
#include "models/routing/kind/ugal.hpp"
#include "models/routing/router_kind.hpp"

namespace weft::models {
namespace {

const HyperX& as_hyperx(const Topology& topology) {
  const auto* const hyperx = dynamic_cast<const HyperX*>(&topology.whole());
  WEFT_ASSERT(hyperx != nullptr);
  return *hyperx;
}

enum class HyperXMode : u8 { minimal, min_adaptive, valiant, ugal_l, ugal_g, dal };

/// RouteState: the upper half of `high` is a random number. In order of dimensions: `low` the router to go by, `phase`
/// 1 behind it. Else `phase` counts hops; dal: `low` the port decided on, the lower half of `high` the dimensions in
/// which the packet has been misrouted.
///
/// Classes of channels. Order of dimensions: on the way to one router no packet goes back to a lower dimension, nor
/// takes two links of one, so links of a class make up no cycle, and one class is enough; a packet through a router
/// goes there in class 0 and on from there in class 1, and never back to 0. Other modes: the class is the number of
/// hops taken, so each waits for a higher one alone. Hops at most: one for each dimension, and with dal a second for
/// each in which a packet can be misrouted, which may happen once (Ahn et al., SC 2009), where there is a third router.
class HyperXRouting final : public RoutingByClasses {
 public:
  HyperXRouting(const Topology& topology, const RouterSettings& settings)
      : RoutingByClasses(settings.virtual_channels,
                         classes_of(as_hyperx(topology), mode_of<HyperXMode>("hyperx", settings.mode))),
        net_(as_hyperx(topology)),
        mode_(mode_of<HyperXMode>("hyperx", settings.mode)),
        ugal_(settings, mode_ == HyperXMode::ugal_g) {
    for (u32 d = 0; d < net_.dimensions(); ++d) draws_ = draws_ || net_.width(d) > 1;
    draws_ = mode_ != HyperXMode::min_adaptive && (draws_ || mode_ == HyperXMode::dal);
  }

  void begin(RouteState& state, NodeId from, NodeId to, u64 bits) const override {
    if (draws_) state.high = static_cast<u32>(engine::remix(bits, 1) >> 48) << 16;
    if (by_hops()) return;
    state.low =
        anywhere(from, to) ? engine::scale_to(engine::remix(bits, 2), net_.routers()) : net_.router_of(to).value();
  }

  /// The router to go by; not where one of parallel links or a port is drawn too.
  [[nodiscard]] u32 beginnings(NodeId from, NodeId to) const override {
    if (draws_) return 0;
    return by_hops() || !anywhere(from, to) ? 1 : net_.routers();
  }
  void begin_as(RouteState& state, NodeId from, NodeId to, u32 number) const override {
    begin(state, from, to, 0);
    if (!by_hops() && anywhere(from, to)) state.low = number;
  }

  [[nodiscard]] bool decides() const override { return mode_ >= HyperXMode::ugal_l; }
  [[nodiscard]] bool uses_remote_occupancy() const override { return mode_ == HyperXMode::ugal_g; }
  [[nodiscard]] bool notifies(RouterId /*router*/, u32 port, u32 over) const override {
    return port < net_.first_node_port() && over < net_.first_node_port() && port != over;
  }
  [[nodiscard]] bool goes_by_source() const override { return false; }

  void decide(RouteState& state, const QueuePlace& at, NodeId /*from*/, NodeId to,
              const Occupancy& outputs) const override {
    const u32 here = at.router, last = net_.router_of(to).value();
    if (mode_ == HyperXMode::dal) return next_hop(state, here, last, outputs);
    if (at.port < net_.first_node_port() || state.low == last) return;
    const bool shortest = state.low == here || ugal_.takes_shortest(path(state, here, last, last),
                                                                    path(state, here, state.low, last), outputs);
    if (shortest) state.low = last;
  }

  Verdict route(const QueuePlace& at, const PacketOnRoute& packet, Candidates& candidates) const override {
    const RouteState& state = packet.state;
    const u32 here = at.router, last = net_.router_of(packet.to).value();
    if (mode_ == HyperXMode::min_adaptive) {
      for (u32 d = 0; d < net_.dimensions(); ++d) {
        const u32 from = net_.coordinate(here, d), to = net_.coordinate(last, d);
        for (u32 l = 0; from != to && l < net_.width(d); ++l) {
          classes().add(candidates.outputs, net_.port(d, from, to, l), state.phase);
        }
      }
    } else if (mode_ == HyperXMode::dal) {
      classes().add(candidates.outputs, state.low, state.phase);
    } else {
      const bool on = state.phase > 0 || here == state.low;
      classes().add(candidates.outputs, first_hop(state, here, on ? last : state.low).port,
                    on && mode_ != HyperXMode::minimal ? 1 : 0);
    }
    return Verdict::waits;
  }

  void leave(RouteState& state, const QueuePlace& at, u32 /*port*/, u32 /*channel*/) const override {
    if (by_hops()) {
      ++state.phase;
      if (mode_ == HyperXMode::dal) state.low = 0;
    } else if (at.router == state.low) {
      state.phase = 1;
    }
  }

 private:
  struct NextHop {
    u32 port, router;
  };

  [[nodiscard]] static u32 classes_of(const HyperX& net, HyperXMode mode) {
    if (mode != HyperXMode::min_adaptive && mode != HyperXMode::dal) return mode == HyperXMode::minimal ? 1 : 2;
    u32 hops = 0;
    for (u32 d = 0; d < net.dimensions(); ++d) hops += std::min(net.size(d) - 1, mode == HyperXMode::dal ? 2U : 1U);
    return std::max(1U, hops);
  }
  /// Whether a packet goes by a router drawn at random.
  [[nodiscard]] bool anywhere(NodeId from, NodeId to) const {
    return mode_ != HyperXMode::minimal && net_.router_of(from) != net_.router_of(to);
  }
  [[nodiscard]] bool by_hops() const { return mode_ == HyperXMode::min_adaptive || mode_ == HyperXMode::dal; }
  [[nodiscard]] static u64 random_of(const RouteState& state, u32 here, u32 use) {
    return engine::remix(engine::remix(state.high >> 16, here), use);
  }
  /// The first hop in order of dimensions; of parallel links one at random.
  [[nodiscard]] NextHop first_hop(const RouteState& state, u32 here, u32 target) const {
    u32 d = 0;
    while (net_.coordinate(here, d) == net_.coordinate(target, d)) ++d;
    const u32 to = net_.coordinate(target, d), width = net_.width(d);
    const u32 l = width == 1 ? 0 : engine::scale_to(random_of(state, here, d), width);
    return {net_.port(d, net_.coordinate(here, d), to, l), net_.moved(here, d, to)};
  }
  /// Through a router, or straight to the last.
  [[nodiscard]] CandidatePath path(const RouteState& state, u32 here, u32 by, u32 last) const {
    const NextHop first = first_hop(state, here, by);
    CandidatePath found{first.port};
    found.links = net_.hops(here, by) + net_.hops(by, last);
    const u32 target = first.router == by ? last : by;
    if (first.router != last) found.second = first_hop(state, first.router, target).port;
    return found;
  }

  /// The least loaded link on a shortest path, or, if that is the better choice, one to a router drawn at random in a
  /// dimension that is left to go and in which the packet has not been misrouted yet.
  void next_hop(RouteState& state, u32 here, u32 last, const Occupancy& outputs) const {
    constexpr u32 none = CandidatePath::no_port;
    const u32 left = net_.hops(here, last), dimensions = net_.dimensions();
    CandidatePath straight{none, none, left}, misrouted{none, none, left + 1};
    struct Least {
      u32 load = 0, equals = 0;
    };
    Least least_straight, least_misrouted;
    u32 misrouted_in = 0;
    const auto offer = [&](CandidatePath& path, Least& least, u32 d, u32 to) {
      bool taken = false;
      for (u32 l = 0; l < net_.width(d); ++l) {
        const u32 port = net_.port(d, net_.coordinate(here, d), to, l), load = outputs.load(port);
        if (path.port != none && load > least.load) continue;
        least = {load, path.port != none && load == least.load ? least.equals + 1 : 1};
        // The k-th of equals replaces those before it with chance 1/k: each has the same in the end.
        if (least.equals > 1 && engine::scale_to(random_of(state, here, dimensions + port), least.equals) != 0)
          continue;
        path.port = port;
        taken = true;
      }
      return taken;
    };
    for (u32 d = 0; d < dimensions; ++d) {
      const u32 from = net_.coordinate(here, d), to = net_.coordinate(last, d);
      if (from == to) continue;
      offer(straight, least_straight, d, to);
      if (net_.size(d) < 3 || (state.high >> d & 1) != 0) continue;
      u32 other = engine::scale_to(random_of(state, here, d), net_.size(d) - 2);
      if (other >= std::min(from, to)) ++other;
      if (other >= std::max(from, to)) ++other;
      if (offer(misrouted, least_misrouted, d, other)) misrouted_in = d;
    }
    const bool shortest = misrouted.port == none || ugal_.takes_shortest(straight, misrouted, outputs);
    state.low = (shortest ? straight : misrouted).port;
    if (!shortest) state.high |= 1U << misrouted_in;
  }

  const HyperX& net_;
  HyperXMode mode_;
  Ugal ugal_;
  bool draws_ = false;
};

/// Channels that a mode needs in a shape: those of its longest path, where they count hops.
i64 hyperx_channels(const std::string& mode, const Parameters& shape) {
  if (mode == "minimal") return 1;
  if (mode != "min-adaptive" && mode != "dal") return 2;
  i64 hops = 0;
  for (const i64 size : shape.integers("dims")) hops += std::clamp<i64>(size - 1, 0, mode == "dal" ? 2 : 1);
  return std::max<i64>(1, hops);
}

std::optional<Complaint> check_hyperx(const RouterChoice& choice) {
  const i64 least = hyperx_channels(choice.mode, choice.shape);
  if (choice.keys.integer("virtual_channels") < least && !choice.unsafe()) {
    const bool by_hops = choice.mode == "min-adaptive" || choice.mode == "dal";
    return Complaint{"router.virtual_channels",
                     fmt::format("deadlocks with routing = \"{}\" ({})", choice.mode,
                                 by_hops ? "each hop takes a higher channel"
                                         : "the path on from the router drawn at random has a channel of its own"),
                     fmt::format("use virtual_channels = {}, or deadlock.unsafe = true to see it happen", least)};
  }
  return {};
}

RouterMode hyperx_mode_by_occupancy(HyperXMode value, const std::string& name, const std::string& help) {
  return RouterMode::row_of(value, {.name = name,
                                    .help = help,
                                    .shortest_paths = false,
                                    .by_occupancy = true,
                                    .asks_neighbours = value == HyperXMode::ugal_g});
}

[[maybe_unused]] const bool hyperx_registered = RouterRegistry::instance().add(
    "hyperx",
    {.help = "routers of HyperX networks and flattened butterflies. Order of dimensions is free of deadlock by itself, "
             "twice in a row in two channels; other modes take a higher channel with each hop. More channels than a "
             "mode needs are shared out among those.",
     .families = {"hyperx"},
     .modes =
         {RouterMode::row_of(
              HyperXMode::minimal,
              {"minimal", "in order of dimensions, of parallel links one at random. The default; needs 1 channel."}),
          RouterMode::row_of(
              HyperXMode::min_adaptive,
              {"min-adaptive",
               "over any dimension that is left to go; needs a channel for each dimension of 2 routers or more."}),
          RouterMode::row_of(
              HyperXMode::valiant,
              {"valiant",
               "in order of dimensions to a router drawn at random, and on from there, so that no pattern overloads a "
               "link; needs 2 channels.",
               false}),
          hyperx_mode_by_occupancy(HyperXMode::ugal_l, "ugal-l",
                                   "minimal, or valiant if less waits for that at the first router (times links); "
                                   "needs 2 channels."),
          hyperx_mode_by_occupancy(HyperXMode::ugal_g, "ugal-g",
                                   "the same, with what waits for the second link of "
                                   "both paths, by remote congestion information; needs 2 channels."),
          hyperx_mode_by_occupancy(
              HyperXMode::dal, "dal",
              "at each hop the least loaded dimension that is left to go, or "
              "misrouted in one of them to a router drawn at random if less waits for that (times links), once in "
              "each; needs 2 channels for each dimension of 3 routers or more, 1 for each of "
              "2.")},
     .settings = ugal_settings(),
     .check = check_hyperx,
     .routing = [](const Topology& topology, const RouterSettings& settings) -> std::unique_ptr<Routing> {
       return std::make_unique<HyperXRouting>(topology, settings);
     },
     .has_loop = {},
     .bytes = {}});

}  // namespace
}  // namespace weft::models
