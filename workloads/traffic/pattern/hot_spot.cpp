// Pattern "hot-spot": a little of everyone's traffic goes to one node, enough to saturate it and grow a tree behind it.
#include <cmath>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "workloads/traffic/pattern/pattern.hpp"

namespace weft::workloads {
namespace {

/// workload.hot_spot_fraction of the packets of every other node go to workload.hot_node, the rest is uniform.
class HotSpot final : public Pattern {
 public:
  explicit HotSpot(const PatternSpec& spec)
      : nodes_(spec.nodes),
        hot_below_(static_cast<u64>(std::llround(std::ldexp(spec.keys.real("hot_spot_fraction"), 32)))) {
    const i64 hot = spec.keys.integer("hot_node");
    if (hot >= spec.nodes) {
      throw ConfigError(
          fmt::format("workload.hot_node = {} is none of the {} nodes, which are numbered from 0; use {} "
                      "or less",
                      hot, spec.nodes, spec.nodes - 1));
    }
    hot_ = static_cast<u32>(hot);
  }
  NodeId destination(NodeId source, const PacketDraw& packet) const override {
    // The low bits: the place is chosen by the high ones.
    if (source.value() != hot_ && static_cast<u32>(packet.bits) < hot_below_) return NodeId(hot_);
    return NodeId(uniform_destination(source.value(), nodes_, packet.bits));
  }
  bool sends(NodeId) const override { return true; }

 private:
  u32 nodes_;
  u64 hot_below_;  ///< of 2^32
  u32 hot_ = 0;
};

const bool hot_spot_registered = PatternRegistry::instance().add(
    "hot-spot",
    {.help = "a fraction of the packets, workload.hot_spot_fraction, to node workload.hot_node, the rest uniform",
     .make = [](const PatternSpec& spec) { return std::make_unique<HotSpot>(spec); },
     .settings = {row::integer("workload.hot_node", "nodes", 0, {0, 1 << 30}, "number of the node that all send to."),
                  row::real("workload.hot_spot_fraction", "", 0.02, {0.0, 1.0},
                            "fraction of the packets of each other node that go there.")}});

}  // namespace
}  // namespace weft::workloads
