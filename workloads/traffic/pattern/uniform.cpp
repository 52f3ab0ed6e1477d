// Pattern "uniform": every other node is equally likely; the load that networks are compared by.
#include "workloads/traffic/pattern/pattern.hpp"

namespace weft::workloads {
namespace {

class Uniform final : public Pattern {
 public:
  explicit Uniform(const PatternSpec& spec) : nodes_(spec.nodes) {}
  NodeId destination(NodeId source, const PacketDraw& packet) const override {
    return NodeId(uniform_destination(source.value(), nodes_, packet.bits));
  }
  bool sends(NodeId) const override { return true; }

 private:
  u32 nodes_;
};

const bool uniform_registered = PatternRegistry::instance().add(
    "uniform", {"every other node with the same probability",
                [](const PatternSpec& spec) { return std::make_unique<Uniform>(spec); }});

}  // namespace
}  // namespace weft::workloads
