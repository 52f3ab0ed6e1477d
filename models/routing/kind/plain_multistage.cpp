// Up and down a tree, as a plain routing; see the header.
#include "models/routing/kind/plain_multistage.hpp"

#include "engine/base/error.hpp"
#include "engine/base/meaning.hpp"
#include "models/routing/router_kind.hpp"
#include "models/topology/tree_math.hpp"

namespace weft::models {
namespace {

/// RouteState (fixed, static_by_channel): `low` the channel that a packet keeps.
class PlainMultistage final : public Routing {
  using Mode = MultistageMode;

 public:
  PlainMultistage(const Topology& topology, const RouterSettings& settings)
      : math_(tree_geometry(topology)),
        channels_(settings.virtual_channels),
        mode_(mode_of<Mode>("multistage", settings.mode)),
        keeps_channel_(keeps_channel(mode_)) {}

  void begin(RouteState& state, NodeId /*from*/, NodeId /*to*/, u64 bits) const override {
    if (keeps_channel_) state.low = engine::scale_to(engine::remix(bits, 1), channels_);
  }
  [[nodiscard]] u32 beginnings(NodeId /*from*/, NodeId /*to*/) const override { return keeps_channel_ ? channels_ : 1; }
  void begin_as(RouteState& state, NodeId /*from*/, NodeId /*to*/, u32 number) const override { state.low = number; }

  Verdict route(const QueuePlace& at, const PacketOnRoute& packet, Candidates& candidates) const override {
    const TreeMath::Place place = math_.place(RouterId(at.router));
    u32 port = 0, ports = 1;
    if (math_.is_ancestor(place, packet.to)) {
      port = math_.down_port(place.level, packet.to);
    } else if (mode_ == Mode::adaptive) {
      ports = math_.up_ports(place.level);
    } else {
      const u32 from = packet.from.value();
      const u32 digit = place.level == 0 ? from : from / math_.nodes_below(place.level - 1);
      port = (digit + (mode_ == Mode::static_by_channel ? packet.state.low : 0)) % math_.up_ports(place.level);
    }
    if (keeps_channel_) {
      candidates.outputs.add(port * channels_ + packet.state.low);
    } else {
      candidates.outputs.add_range(port * channels_, ports * channels_);
    }
    return Verdict::waits;
  }

  /// The channel with most free space, also one that another packet holds: it is waited for.
  u32 request(const RouterView& router, const Candidates& candidates, u32& /*memory*/, u64 bits) const override {
    return router.emptiest(candidates.outputs, bits);
  }

  [[nodiscard]] bool goes_by_source() const override { return mode_ != Mode::adaptive; }

  [[nodiscard]] Channels node_link_channels(const RouteState& state, bool /*to_node*/) const override {
    return keeps_channel_ ? Channels{state.low, 1} : Channels{};
  }

 private:
  TreeMath math_;
  u32 channels_;
  Mode mode_;
  bool keeps_channel_;
};

}  // namespace

std::unique_ptr<Routing> plain_multistage(const Topology& topology, const RouterSettings& settings) {
  if (means(settings.own.text("credit_ties"), "first-counts-twice", "uniform")) {
    throw ConfigError(
        "router.credit_ties = \"first-counts-twice\" cannot be had in a network with faults (the figures that it is "
        "for are of whole ones); use credit_ties = \"uniform\"");
  }
  return std::make_unique<PlainMultistage>(topology, settings);
}

}  // namespace weft::models
