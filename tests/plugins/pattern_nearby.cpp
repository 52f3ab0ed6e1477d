// A traffic pattern that somebody else might add: nodes send to those that are close by in the numbering.
#include <algorithm>

#include "workloads/traffic/pattern/pattern.hpp"

namespace weft::workloads {
namespace {

/// To one of the `reach` nodes before or behind, round the ends; in workload.far_percent of the draws to any node.
class Nearby final : public Pattern {
 public:
  explicit Nearby(const PatternSpec& spec)
      : nodes_(spec.nodes),
        reach_(static_cast<u32>(std::min<i64>(spec.keys.integer("reach"), (spec.nodes - 1) / 2))),
        far_percent_(static_cast<u32>(spec.keys.integer("far_percent"))) {}
  NodeId destination(NodeId source, const PacketDraw& packet) const override {
    const u32 from = source.value();
    if (reach_ == 0 || engine::scale_to(engine::remix(packet.bits, 1), 100) < far_percent_)
      return NodeId(uniform_destination(from, nodes_, packet.bits));
    const u32 step = engine::scale_to(packet.bits, 2 * reach_);
    return NodeId(static_cast<u32>((from + u64{nodes_} - reach_ + step + (step < reach_ ? 0 : 1)) % nodes_));
  }
  bool sends(NodeId /*source*/) const override { return true; }

 private:
  u32 nodes_, reach_, far_percent_;
};

const bool nearby_registered = PatternRegistry::instance().add(
    "nearby",
    {.help =
         "one of the nodes next in number, workload.reach on either side; any node in workload.far_percent of draws",
     .make = [](const PatternSpec& spec) { return std::make_unique<Nearby>(spec); },
     .settings = {row::integer("workload.reach", "nodes", 2, {1, 1 << 20}, "how far away destinations may be."),
                  row::integer("workload.far_percent", "%", 0, {0, 100}, "of the packets that go to any node.")}});

}  // namespace
}  // namespace weft::workloads
