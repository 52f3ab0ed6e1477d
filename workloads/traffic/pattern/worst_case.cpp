// Pattern "worst-case": what the network's own shortest routes carry least of.
#include <algorithm>

#include "engine/base/error.hpp"
#include "workloads/traffic/pattern/pattern.hpp"

namespace weft::workloads {
namespace {

/// Each network says for itself whom a node sends to (Topology::worst_case): tornado on tori, the other half of a tree,
/// the next group of a dragonfly... Of a job: those of its own nodes that are among them; a node that has none there
/// sends nothing.
class WorstCase final : public Pattern {
 public:
  explicit WorstCase(const PatternSpec& spec) : partners_(spec.worst_case), node_of_(spec.node_of) {
    const u32 nodes = node_of_.empty() ? spec.nodes : spec.network_nodes;
    if (!partners_ && spec.group_nodes != 0 && spec.group_nodes < nodes) {
      partners_ = [nodes, group = spec.group_nodes](u32 from) {
        return std::pair{(from / group + 1) * group % nodes, group};
      };
    }
    if (!partners_ || partners_(0).second == 0) {
      throw ConfigError(
          "workload.pattern \"worst-case\" is not possible (the worst case of this network's shortest routes is not "
          "known); use another one, e.g. \"tornado\" or \"bit-complement\"");
    }
    for (u32 place = 0; place < node_of_.size(); ++place) by_node_.emplace_back(node_of_[place], place);
    std::ranges::sort(by_node_);
    bool any = false;
    for (u32 from = 0; from < spec.nodes && !any; ++from) any = sends(NodeId(from));
    if (!any) {
      throw ConfigError(
          "workload.pattern \"worst-case\" sends nothing on this network (no node is far enough); use a larger one, or "
          "another pattern");
    }
  }
  NodeId destination(NodeId source, const PacketDraw& packet) const override {
    if (!node_of_.empty()) {
      const auto [first, count] = places(source.value());
      return count == 0 ? source : NodeId(by_node_[first + engine::scale_to(packet.bits, count)].second);
    }
    const auto [first, count] = partners_(source.value());
    return NodeId(first + engine::scale_to(packet.bits, count));
  }
  bool sends(NodeId source) const override {
    if (node_of_.empty()) return partners_(source.value()) != std::pair{source.value(), 1U};
    const auto [first, count] = places(source.value());
    return count > 1 || (count == 1 && by_node_[first].second != source.value());
  }

 private:
  /// The job's nodes that a place of it sends to: (first, count) in by_node_.
  [[nodiscard]] std::pair<u32, u32> places(u32 place) const {
    const auto [first, count] = partners_(node_of_[place]);
    const auto begin = std::ranges::lower_bound(by_node_, std::pair{first, 0U});
    const auto end = std::ranges::lower_bound(by_node_, std::pair{first + count, 0U});
    return {static_cast<u32>(begin - by_node_.begin()), static_cast<u32>(end - begin)};
  }

  std::function<std::pair<u32, u32>(u32)> partners_;
  std::vector<u32> node_of_;                  ///< [place], of a job
  std::vector<std::pair<u32, u32>> by_node_;  ///< (node, place), of a job, ascending
};

const bool worst_case_registered = PatternRegistry::instance().add(
    "worst-case",
    {"what the network's shortest routes carry least of: tornado on tori, the other half of a tree, the next "
     "group of a dragonfly, the next router of a HyperX...",
     [](const PatternSpec& spec) { return std::make_unique<WorstCase>(spec); }});

}  // namespace
}  // namespace weft::workloads
