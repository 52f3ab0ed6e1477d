// Pattern "hot-region": part of the traffic goes to a corner of the machine, as to a shared file server or a busy job.
#include <algorithm>

#include "workloads/traffic/pattern/pattern.hpp"

namespace weft::workloads {
namespace {

/// A quarter of the packets goes to the first eighth of the nodes, the rest is uniform (Ridruejo et al., PDCAT 2007).
class HotRegion final : public Pattern {
 public:
  explicit HotRegion(const PatternSpec& spec) : nodes_(spec.nodes), hot_nodes_(std::max<u32>(1, spec.nodes / 8)) {}
  NodeId destination(NodeId source, const PacketDraw& packet) const override {
    const u32 from = source.value();
    const bool hot = (packet.bits & 3) == 0;  // the low bits: the place is chosen by the high ones
    if (!hot) return NodeId(uniform_destination(from, nodes_, packet.bits));
    if (from >= hot_nodes_) return NodeId(engine::scale_to(packet.bits, hot_nodes_));
    // The only hot node has no other to send to: its traffic is uniform.
    return NodeId(uniform_destination(from, hot_nodes_ == 1 ? nodes_ : hot_nodes_, packet.bits));
  }
  bool sends(NodeId) const override { return true; }

 private:
  u32 nodes_;
  u32 hot_nodes_;
};

const bool hot_region_registered = PatternRegistry::instance().add(
    "hot-region", {"1/4 of the packets to the first 1/8 of the nodes, the rest uniform",
                   [](const PatternSpec& spec) { return std::make_unique<HotRegion>(spec); }});

}  // namespace
}  // namespace weft::workloads
