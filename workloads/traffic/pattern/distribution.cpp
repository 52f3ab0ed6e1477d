// Patterns "distribution" and "random-distribution": each node sends to all others in turn.
#include "workloads/traffic/pattern/pattern.hpp"

namespace weft::workloads {
namespace {

/// "Distribution patterns send packets sequentially to each one of the remaining nodes. The initial destination node
/// can be the next one in order of identifier (SD), or can be selected randomly (RD)" (Navaridas, Miguel-Alonso,
/// Pascual and Ridruejo: Simulating and evaluating interconnection networks with INSEE, 2011, section 3.2.1). After the
/// last node comes the first, and the source is left out. INSEE calls them distribute and rsdist.
class Distribution final : public Pattern {
 public:
  Distribution(const PatternSpec& spec, bool random_start)
      : nodes_(spec.nodes), seed_(spec.seed), random_start_(random_start) {}
  NodeId destination(NodeId source, const PacketDraw& packet) const override {
    const u64 others = nodes_ - 1;
    const u64 step = (first(source.value()) + packet.number) % others;
    return NodeId(static_cast<u32>((source.value() + u64{1} + step) % nodes_));
  }
  bool sends(NodeId /*source*/) const override { return true; }

 private:
  static constexpr u64 draw_of_first = 0xD157;

  /// How many nodes behind the next one the first destination is.
  [[nodiscard]] u32 first(u32 source) const {
    if (!random_start_) return 0;
    return engine::scale_to(engine::remix(engine::remix(seed_, draw_of_first), source), nodes_ - 1);
  }

  u32 nodes_;
  u64 seed_;
  bool random_start_;
};

const bool distribution_registered =
    PatternRegistry::instance().add(
        "distribution", {"each other node in turn, from the next one on (INSEE's SD)",
                         [](const PatternSpec& spec) { return std::make_unique<Distribution>(spec, false); }}) &&
    PatternRegistry::instance().add(
        "random-distribution", {"each other node in turn, from one on that is drawn for each source (INSEE's RD)",
                                [](const PatternSpec& spec) { return std::make_unique<Distribution>(spec, true); }});

}  // namespace
}  // namespace weft::workloads
