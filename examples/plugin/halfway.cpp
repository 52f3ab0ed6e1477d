// A router of full meshes from outside weft's sources: docs/plugins.md.
#include "models/routing/router_kind.hpp"

namespace {

using namespace weft;
using namespace weft::models;

/// Packets go through the router halfway between source and destination in number. They take channel 0 to that router and
/// channel 1 from there, so that no cycle of channels closes.
class HalfwayRouting final : public Routing {
 public:
  explicit HalfwayRouting(const RouterSettings& settings) : channels_(settings.virtual_channels) {}

  void begin(RouteState& state, NodeId from, NodeId to, u64 /*bits*/) const override {
    state.low = (from.value() + to.value()) / 2;
    if (state.low == from.value()) state.low = to.value();
  }
  [[nodiscard]] u32 beginnings(NodeId /*from*/, NodeId /*to*/) const override { return 1; }
  [[nodiscard]] bool goes_by_source() const override { return false; }

  Verdict route(const QueuePlace& at, const PacketOnRoute& packet, Candidates& candidates) const override {
    if (packet.to.value() == at.router) return Verdict::arrived;
    const bool second = at.port != QueuePlace::injection;
    const u32 next = second ? packet.to.value() : packet.state.low;
    const u32 port = next < at.router ? next : next - 1;
    candidates.outputs.add(port * channels_ + (second ? 1 : 0));
    return Verdict::waits;
  }

 private:
  u32 channels_;
};

std::optional<Complaint> check_halfway(const RouterChoice& choice) {
  if (choice.keys.integer("virtual_channels") >= 2) return {};
  return Complaint{"router.virtual_channels", "deadlocks (each hop has a channel of its own)", "use virtual_channels = 2"};
}

[[maybe_unused]] const bool halfway_registered = RouterRegistry::instance().add(
    "halfway",
    {.help = "routers of full meshes. Packets go through the router halfway to their destination in number.",
     .families = {"full-mesh"},
     .modes = {{"halfway", "the only routing."}},
     .settings = {},
     .check = check_halfway,
     .routing = [](const Topology& /*topology*/, const RouterSettings& settings) -> std::unique_ptr<Routing> {
       return std::make_unique<HalfwayRouting>(settings);
     },
     .has_loop = {},
     .bytes = {}});

}  // namespace
