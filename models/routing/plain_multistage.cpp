// Up and down a tree, as a plain routing; see the header.
#include "models/routing/plain_multistage.hpp"

#include "engine/error.hpp"
#include "engine/meaning.hpp"
#include "models/routing/router_kind.hpp"
#include "models/topology/tree_math.hpp"

namespace weft::models {
namespace {

class PlainMultistage final : public Routing {
 public:
  PlainMultistage(const Topology& topology, const RouterSettings& settings)
      : math_(tree_geometry(topology)),
        channels_(settings.virtual_channels),
        adaptive_(mode_index("multistage", settings.mode) == 0) {}

  [[nodiscard]] u32 beginnings(NodeId /*from*/, NodeId /*to*/) const override { return 1; }

  Verdict route(const QueuePlace& at, const PacketOnRoute& packet, Candidates& candidates) const override {
    const TreeMath::Place place = math_.place(RouterId(at.router));
    u32 port = 0, ports = 1;
    if (math_.is_ancestor(place, packet.to)) {
      port = math_.down_port(place.level, packet.to);
    } else if (adaptive_) {
      ports = math_.up_ports(place.level);
    } else {
      const u32 from = packet.from.value();
      port = (place.level == 0 ? from : from / math_.nodes_below(place.level - 1)) % math_.up_ports(place.level);
    }
    candidates.outputs.add_range(port * channels_, ports * channels_);
    return Verdict::waits;
  }

  /// The channel with most free space, also one that another packet holds: it is waited for.
  u32 request(const RouterView& router, const Candidates& candidates, u32& /*memory*/, u64 bits) const override {
    return router.emptiest(candidates.outputs, bits);
  }

  [[nodiscard]] bool goes_by_source() const override { return !adaptive_; }

 private:
  TreeMath math_;
  u32 channels_;
  bool adaptive_;
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
