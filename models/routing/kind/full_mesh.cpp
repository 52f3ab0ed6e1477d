// Routing of full meshes: over the one link to the destination, or through a router drawn at random.
#include "models/routing/channel_classes.hpp"
#include "models/routing/router_kind.hpp"

namespace weft::models {
namespace {

enum class FullMeshMode : u8 { minimal, valiant };

/// A packet that goes through another router takes a channel of class 0 there and one of class 1 from there: no cycle
/// of channels closes.
class FullMeshRouting final : public RoutingByClasses {
 public:
  FullMeshRouting(const Topology& topology, const RouterSettings& settings)
      : RoutingByClasses(settings.virtual_channels,
                         mode_of<FullMeshMode>("full-mesh", settings.mode) == FullMeshMode::valiant ? 2 : 1),
        routers_(topology.routers()),
        valiant_(mode_of<FullMeshMode>("full-mesh", settings.mode) == FullMeshMode::valiant) {}

  void begin(RouteState& state, NodeId from, NodeId to, u64 bits) const override {
    state.low = valiant_ ? engine::scale_to(engine::remix(bits, 1), routers_) : to.value();
    if (state.low == from.value()) state.low = to.value();
  }

  Verdict route(const QueuePlace& at, const PacketOnRoute& packet, Candidates& candidates) const override {
    if (packet.to.value() == at.router) return Verdict::arrived;
    const bool second = at.port != QueuePlace::injection;
    const u32 next = second ? packet.to.value() : packet.state.low;
    const u32 port = next < at.router ? next : next - 1;
    classes().add(candidates.outputs, port, second ? 1 : 0);
    return Verdict::waits;
  }

  [[nodiscard]] u32 beginnings(NodeId /*from*/, NodeId /*to*/) const override { return valiant_ ? routers_ : 1; }
  void begin_as(RouteState& state, NodeId from, NodeId to, u32 number) const override {
    state.low = valiant_ && number != from.value() ? number : to.value();
  }

  [[nodiscard]] bool goes_by_source() const override { return false; }

 private:
  u32 routers_;
  bool valiant_;
};

std::optional<Complaint> check_full_mesh(const RouterChoice& choice) {
  if (choice.mode == "valiant" && choice.keys.integer("virtual_channels") < 2) {
    return Complaint{"router.virtual_channels",
                     "deadlocks with routing = \"valiant\" (each hop has a channel of its own)",
                     "use virtual_channels = 2"};
  }
  return {};
}

[[maybe_unused]] const bool full_mesh_registered = RouterRegistry::instance().add(
    "full-mesh",
    {.help = "routers of full meshes. Packets through another router take the lower half of the channels at the first "
             "hop and the upper half at the second.",
     .families = {"full-mesh"},
     .modes = {RouterMode::row_of(FullMeshMode::minimal, {"minimal", "over the link to the destination. The default."}),
               RouterMode::row_of(
                   FullMeshMode::valiant,
                   {"valiant",
                    "through a router drawn at random, so that no pattern overloads a link; needs 2 channels.",
                    false})},
     .settings = {},
     .check = check_full_mesh,
     .routing = [](const Topology& topology, const RouterSettings& settings) -> std::unique_ptr<Routing> {
       return std::make_unique<FullMeshRouting>(topology, settings);
     },
     .has_loop = {},
     .bytes = {},
     .ignores = {{"router.ipr_fraction", "packets from nodes and in transit never want the same channel"}}});

}  // namespace
}  // namespace weft::models
