// Pattern "hot-spot": a little of everyone's traffic goes to one node, enough to saturate it and grow a tree behind it.
#include "workloads/pattern/pattern.hpp"

namespace weft::workloads {
namespace {

/// 2 % of the packets of every other node go to node 0, the rest is uniform.
class HotSpot final : public Pattern {
 public:
  explicit HotSpot(const PatternSpec& spec) : nodes_(spec.nodes) {}
  NodeId destination(NodeId source, u64 random_bits) const override {
    constexpr u32 hot_below = 85'899'346;  // 0.02 * 2^32; low bits, since the place is chosen by the high ones
    if (source.value() != 0 && static_cast<u32>(random_bits) < hot_below) return NodeId(0);
    return NodeId(uniform_destination(source.value(), nodes_, random_bits));
  }
  bool sends(NodeId) const override { return true; }

 private:
  u32 nodes_;
};

const bool hot_spot_registered = PatternRegistry::instance().add(
    "hot-spot", {"2 % of the packets to node 0, the rest uniform",
                 [](const PatternSpec& spec) { return std::make_unique<HotSpot>(spec); }});

}  // namespace
}  // namespace weft::workloads
