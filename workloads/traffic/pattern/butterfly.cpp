// Pattern "butterfly": half of the nodes keep still, the other half crosses the network.
#include "workloads/traffic/pattern/permutation.hpp"

namespace weft::workloads {
namespace {

class Butterfly final : public Permutation {
 public:
  explicit Butterfly(const PatternSpec& spec) : bits_(node_bits("butterfly", spec.nodes, 2)) {}
  u32 image(u32 node) const override {
    const u32 top = bits_ - 1;
    const u32 differ = ((node >> top) ^ node) & 1;
    return node ^ (differ << top) ^ differ;
  }

 private:
  u32 bits_;
};

const bool butterfly_registered = PatternRegistry::instance().add(
    "butterfly", {"node i sends to i with its first and last bit swapped; nodes: a power of two",
                  [](const PatternSpec& spec) { return std::make_unique<Butterfly>(spec); }});

}  // namespace
}  // namespace weft::workloads
