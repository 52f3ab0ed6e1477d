// Routing of unidirectional multistage networks: each stage takes one digit of the destination's number.
#include "models/routing/channel_classes.hpp"
#include "models/routing/router_kind.hpp"
#include "models/topology/kind/unidirectional_min.hpp"

namespace weft::models {
namespace {

const UnidirectionalMin& as_min(const Topology& topology) {
  const auto* const net = dynamic_cast<const UnidirectionalMin*>(&topology.whole());
  WEFT_ASSERT(net != nullptr);
  return *net;
}

/// D. Lawrie, Access and alignment of data in an array processor, IEEE Trans. Computers 1975. Links lead from stage to
/// stage, so channels are in an order and one is enough; with several, the open one with most free space.
class DestinationTag final : public RoutingByClasses {
 public:
  DestinationTag(const Topology& topology, const RouterSettings& settings)
      : RoutingByClasses(settings.virtual_channels, 1), net_(as_min(topology)) {}

  Verdict route(const QueuePlace& at, const PacketOnRoute& packet, Candidates& candidates) const override {
    const u32 stage = net_.stage(RouterId(at.router));
    const u32 port =
        stage == net_.stages() ? UnidirectionalMin::terminal_out : net_.digit(packet.to, net_.stages() - 1 - stage);
    classes().add_all(candidates.outputs, port);
    return Verdict::waits;
  }
  [[nodiscard]] u32 beginnings(NodeId /*from*/, NodeId /*to*/) const override { return 1; }
  [[nodiscard]] bool goes_by_source() const override { return false; }

 private:
  const UnidirectionalMin& net_;
};

enum class DestinationTagMode : u8 { destination_tag };

[[maybe_unused]] const bool destination_tag_registered = RouterRegistry::instance().add(
    "destination-tag",
    {.help =
         "switches of unidirectional multistage networks: stage by stage a digit of the destination's number selects "
         "the output. There is one route between two nodes, and no cycle of channels.",
     .families = {"unidirectional-min"},
     .modes = {RouterMode::row_of(
         DestinationTagMode::destination_tag,
         {"destination-tag", "the output that a digit of the destination says. The default."})},
     .settings = {},
     .check = {},
     .routing = [](const Topology& topology, const RouterSettings& settings) -> std::unique_ptr<Routing> {
       return std::make_unique<DestinationTag>(topology, settings);
     },
     .has_loop = {},
     .bytes = {}});

}  // namespace
}  // namespace weft::models
