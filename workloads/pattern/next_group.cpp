// Pattern "next-group": all nodes of a group send to the next one, the worst case of minimal routing on dragonflies.
#include "engine/error.hpp"
#include "workloads/pattern/pattern.hpp"

namespace weft::workloads {
namespace {

/// Any node of the group behind the source's (ADV+1 of Garcia et al., "On-the-fly adaptive routing", ICPP 2012).
class NextGroup final : public Pattern {
 public:
  explicit NextGroup(const PatternSpec& spec) : nodes_(spec.nodes), group_(spec.group_nodes) {
    if (group_ == 0 || group_ >= nodes_) {
      throw ConfigError(
          "workload.pattern \"next-group\" is not possible (this network has no groups of nodes); use a dragonfly, or "
          "pattern = \"uniform\"");
    }
  }
  NodeId destination(NodeId source, u64 random_bits) const override {
    const u32 next = (source.value() / group_ + 1) * group_ % nodes_;
    return NodeId(next + engine::scale_to(random_bits, group_));
  }
  bool sends(NodeId /*source*/) const override { return true; }

 private:
  u32 nodes_, group_;
};

const bool next_group_registered = PatternRegistry::instance().add(
    "next-group", {"any node of the next group of nodes; of networks that have groups",
                   [](const PatternSpec& spec) { return std::make_unique<NextGroup>(spec); }});

}  // namespace
}  // namespace weft::workloads
