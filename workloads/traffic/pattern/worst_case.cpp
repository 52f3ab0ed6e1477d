// Pattern "worst-case": what the network's own shortest routes carry least of.
#include "engine/base/error.hpp"
#include "workloads/traffic/pattern/pattern.hpp"

namespace weft::workloads {
namespace {

/// Each network says for itself whom a node sends to (Topology::worst_case): tornado on tori, the other half of a tree,
/// the next group of a dragonfly...
class WorstCase final : public Pattern {
 public:
  explicit WorstCase(const PatternSpec& spec) : partners_(spec.worst_case) {
    if (!partners_ && spec.group_nodes != 0 && spec.group_nodes < spec.nodes) {
      partners_ = [nodes = spec.nodes, group = spec.group_nodes](u32 from) {
        return std::pair{(from / group + 1) * group % nodes, group};
      };
    }
    if (!partners_ || partners_(0).second == 0) {
      throw ConfigError(
          "workload.pattern \"worst-case\" is not possible (the worst case of this network's shortest routes is not "
          "known); use another one, e.g. \"tornado\" or \"bit-complement\"");
    }
    bool any = false;
    for (u32 from = 0; from < spec.nodes && !any; ++from) any = sends(NodeId(from));
    if (!any) {
      throw ConfigError(
          "workload.pattern \"worst-case\" sends nothing on this network (no node is far enough); use a larger one, or "
          "another pattern");
    }
  }
  NodeId destination(NodeId source, u64 random_bits) const override {
    const auto [first, count] = partners_(source.value());
    return NodeId(first + engine::scale_to(random_bits, count));
  }
  bool sends(NodeId source) const override { return partners_(source.value()) != std::pair{source.value(), 1U}; }

 private:
  std::function<std::pair<u32, u32>(u32)> partners_;
};

const bool worst_case_registered = PatternRegistry::instance().add(
    "worst-case",
    {"what the network's shortest routes carry least of: tornado on tori, the other half of a tree, the next "
     "group of a dragonfly, the next router of a HyperX...",
     [](const PatternSpec& spec) { return std::make_unique<WorstCase>(spec); }});

}  // namespace
}  // namespace weft::workloads
