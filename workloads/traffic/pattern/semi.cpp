// Pattern "semi": the half of the network with the lower coordinates in the first dimension talks among itself, the
// other half is silent.
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "workloads/traffic/pattern/pattern.hpp"

namespace weft::workloads {
namespace {

/// Nodes with s_x < n_x / 2 send to each other, all alike (INSEE's semi, which in three dimensions sends into the plane
/// z = 0 only; here all planes count). Networks without dimensions count as one row of all nodes.
class Semi final : public Pattern {
 public:
  explicit Semi(const PatternSpec& spec)
      : row_(spec.dims.empty() ? spec.nodes : spec.dims.front()), half_(row_ / 2), members_(spec.nodes / row_ * half_) {
    if (members_ < 2) {
      throw ConfigError(fmt::format(
          "workload.pattern \"semi\" is not possible on this network (the half with the lower coordinates in "
          "the first dimension has {} nodes); use one with 2 or more there",
          members_));
    }
  }
  NodeId destination(NodeId source, const PacketDraw& packet) const override {
    if (!sends(source)) return source;
    const u32 own = source.value() / row_ * half_ + source.value() % row_;
    const u32 to = uniform_destination(own, members_, packet.bits);
    return NodeId(to / half_ * row_ + to % half_);
  }
  bool sends(NodeId source) const override { return source.value() % row_ < half_; }

 private:
  u32 row_, half_, members_;
};

const bool semi_registered = PatternRegistry::instance().add(
    "semi", {"nodes of the lower half of the first dimension to each other, all alike; the others send nothing",
             [](const PatternSpec& spec) { return std::make_unique<Semi>(spec); }});

}  // namespace
}  // namespace weft::workloads
