// Routing of dragonflies: the shortest way, or by way of a group drawn by lot (Valiant), free of deadlock by a higher
// channel behind each link between groups.
#include "models/topology/dragonfly.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/error.hpp"
#include "models/router/router_kind.hpp"

namespace weft::models {
namespace {

const Dragonfly& as_dragonfly(const Topology& topology) {
  const auto* const dragonfly = dynamic_cast<const Dragonfly*>(&topology.whole());
  WEFT_ASSERT(dragonfly != nullptr);
  return *dragonfly;
}

/// Kim, Dally, Scott, Abts, "Technology-driven, highly-scalable dragonfly topology", ISCA 2008. RouteState: `low` the
/// group to go by, `high` a lot for one of parallel links, `phase` links between groups travelled.
class DragonflyRouting final : public Routing {
 public:
  DragonflyRouting(const Topology& topology, const RouterSettings& settings)
      : net_(as_dragonfly(topology)),
        valiant_(mode_index("dragonfly", settings.mode) == 1),
        channels_(settings.virtual_channels) {}

  void begin(RouteState& state, NodeId from, NodeId to, u64 bits) const override {
    const u32 source = group_of(from), target = group_of(to);
    state.low = target;
    state.high = static_cast<u32>(engine::remix(bits, 1) >> 32);
    if (valiant_ && source != target) state.low = engine::scale_to(engine::remix(bits, 2), net_.groups());
  }

  Verdict route(const QueuePlace& at, const PacketOnRoute& packet, Candidates& candidates) const override {
    const RouterId here(at.router), last = net_.router_of(packet.to);
    const u32 group = net_.group(here), number = net_.number(here), target = net_.group(last);
    const bool inside = target == group_of(packet.from);
    // Groups on the way: the one drawn, unless the packet has left its first group, and the last.
    const bool by_way = packet.state.phase == 0 && packet.state.low != group && !inside;
    const u32 next = by_way ? packet.state.low : target;
    const u32 channel = packet.state.phase + (valiant_ && inside ? 1 : 0);
    u32 port;
    if (next == group) {
      port = Dragonfly::local_port(number, net_.number(last));
    } else {
      const u32 link = static_cast<u32>((u64{packet.state.high} * net_.links_between()) >> 32);
      const Dragonfly::GlobalLink out = net_.global_link(group, next, link);
      port = out.from_number == number ? out.from_port : Dragonfly::local_port(number, out.from_number);
    }
    candidates.outputs.add(port * channels_ + channel);
    return Verdict::waits;
  }

  void leave(RouteState& state, const QueuePlace& /*at*/, u32 port, u32 /*channel*/) const override {
    if (port >= net_.first_global_port() && port < net_.first_node_port()) ++state.phase;
  }

  /// In by channel 0, out by the channel that the packet has come to.
  [[nodiscard]] Channels node_link_channels(const RouteState& state, bool to_node) const override {
    return {to_node ? std::min<u32>(state.phase, channels_ - 1) : 0U, 1};
  }

 private:
  [[nodiscard]] u32 group_of(NodeId node) const { return net_.group(net_.router_of(node)); }

  const Dragonfly& net_;
  bool valiant_;
  u32 channels_;
};

std::optional<Complaint> check_dragonfly(const RouterChoice& choice) {
  const i64 least = choice.mode == "valiant" ? 3 : 2;
  if (choice.keys.integer("virtual_channels") < least) {
    return Complaint{"router.virtual_channels",
                     fmt::format("deadlocks with request = \"{}\" (a higher channel is taken behind each link between "
                                 "groups)",
                                 choice.mode),
                     fmt::format("use virtual_channels = {}", least)};
  }
  if (choice.keys.integer("lbr_packets") > 0) {
    return Complaint{"router.lbr_packets", "has no effect on dragonflies (nodes inject through links of their own)",
                     "use lbr_packets = 0"};
  }
  return {};
}

[[maybe_unused]] const bool dragonfly_registered = RouterRegistry::instance().add(
    "dragonfly",
    {.help = "routers of dragonflies. Packets take channel 0 until they have left their group, and the next higher one "
             "behind "
             "each link between groups, so that no cycle of channels closes (those that never leave their group take "
             "channel 1 in mode "
             "valiant).",
     .families = {"dragonfly"},
     .modes =
         {{"minimal",
           "to the router with the link to the other group, over it, and on to the last router. The default."},
          {"valiant",
           "between groups by way of any group drawn by lot, so that no pattern overloads a link; needs 3 channels.",
           false}},
     .settings = {},
     .check = check_dragonfly,
     .routing = [](const Topology& topology, const RouterSettings& settings) -> std::unique_ptr<Routing> {
       return std::make_unique<DragonflyRouting>(topology, settings);
     },
     .has_loop = {},
     .bytes = {}});

}  // namespace
}  // namespace weft::models
