// Pattern "next-group": all nodes of a group send to the next one, or one further on: the worst case of minimal routing
// on dragonflies.
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "workloads/traffic/pattern/pattern.hpp"

namespace weft::workloads {
namespace {

/// Any node of the n-th group behind the source's (ADV+n of Garcia et al., "On-the-fly adaptive routing", ICPP 2012).
class NextGroup final : public Pattern {
 public:
  explicit NextGroup(const PatternSpec& spec)
      : nodes_(spec.nodes), group_(spec.group_nodes), shift_(static_cast<u32>(spec.keys.integer("group_shift"))) {
    if (group_ == 0 || group_ >= nodes_) {
      throw ConfigError(
          "workload.pattern \"next-group\" is not possible (this network has no groups of nodes); use a dragonfly, or "
          "pattern = \"uniform\"");
    }
    if (const u32 groups = nodes_ / group_; shift_ % groups == 0) {
      throw ConfigError(
          fmt::format("workload.group_shift = {} leads each of the {} groups to itself; use a number between 1 and {}",
                      shift_, groups, groups - 1));
    }
  }
  NodeId destination(NodeId source, u64 random_bits) const override {
    const u64 next = (u64{source.value()} / group_ + shift_) * group_ % nodes_;
    return NodeId(static_cast<u32>(next) + engine::scale_to(random_bits, group_));
  }
  bool sends(NodeId /*source*/) const override { return true; }

 private:
  u32 nodes_, group_, shift_;
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
