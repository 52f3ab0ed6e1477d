// Pattern "next-group": all nodes of a group send to the next one, or one further on: the worst case of minimal routing
// on dragonflies.
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "workloads/traffic/pattern/pattern.hpp"

namespace weft::workloads {
namespace {

/// Any node of the n-th group behind the source's (ADV+n of Garcia et al., "On-the-fly adaptive routing", ICPP 2012).
/// Of a job: any of its own nodes there; a node whose group has none there sends nothing.
class NextGroup final : public Pattern {
 public:
  explicit NextGroup(const PatternSpec& spec)
      : nodes_(spec.node_of.empty() ? spec.nodes : spec.network_nodes),
        group_(spec.group_nodes),
        shift_(static_cast<u32>(spec.keys.integer("group_shift"))),
        node_of_(spec.node_of) {
    if (group_ == 0 || group_ >= nodes_) {
      throw ConfigError(
          "workload.pattern \"next-group\" is not possible (this network has no groups of nodes); use a dragonfly, or "
          "pattern = \"uniform\"");
    }
    const u32 groups = nodes_ / group_;
    if (shift_ % groups == 0) {
      throw ConfigError(
          fmt::format("workload.group_shift = {} leads each of the {} groups to itself; use a number between 1 and {}",
                      shift_, groups, groups - 1));
    }
    if (node_of_.empty()) return;
    places_.resize(groups);
    for (u32 place = 0; place < node_of_.size(); ++place) places_[node_of_[place] / group_].push_back(place);
    bool any = false;
    for (u32 place = 0; place < node_of_.size() && !any; ++place) any = sends(NodeId(place));
    if (!any) {
      throw ConfigError(fmt::format(
          "workload.pattern \"next-group\" sends nothing (none of these nodes has another of them {} groups on); place "
          "the job on more groups, or use another workload.group_shift",
          shift_));
    }
  }
  NodeId destination(NodeId source, const PacketDraw& packet) const override {
    if (!node_of_.empty()) {
      const std::vector<u32>& there = places_[next(node_of_[source.value()])];
      return there.empty() ? source : NodeId(there[engine::scale_to(packet.bits, static_cast<u32>(there.size()))]);
    }
    const u64 first = u64{next(source.value())} * group_;
    return NodeId(static_cast<u32>(first) + engine::scale_to(packet.bits, group_));
  }
  bool sends(NodeId source) const override {
    return node_of_.empty() || !places_[next(node_of_[source.value()])].empty();
  }

 private:
  /// The group that the nodes of a node's group send to.
  [[nodiscard]] u32 next(u32 node) const {
    return static_cast<u32>((u64{node} / group_ + shift_) * group_ % nodes_ / group_);
  }

  u32 nodes_, group_, shift_;
  std::vector<u32> node_of_;              ///< [place], of a job
  std::vector<std::vector<u32>> places_;  ///< [group]: of the job
};

const bool next_group_registered = PatternRegistry::instance().add(
    "next-group",
    {.help =
         "any node of the next group of nodes, or that workload.group_shift further on; of networks that have groups",
     .make = [](const PatternSpec& spec) { return std::make_unique<NextGroup>(spec); },
     .settings = {row::integer("workload.group_shift", "groups", 1, {1, 1 << 30},
                               "how many groups on the nodes of a group send.")}});

}  // namespace
}  // namespace weft::workloads
