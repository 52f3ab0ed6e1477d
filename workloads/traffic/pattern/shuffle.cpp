// Pattern "shuffle": the perfect shuffle of sorting and FFT networks.
#include "workloads/traffic/pattern/permutation.hpp"

namespace weft::workloads {
namespace {

class Shuffle final : public Permutation {
 public:
  explicit Shuffle(const PatternSpec& spec) : bits_(node_bits("shuffle", spec.nodes, 2)) {}
  u32 image(u32 node) const override {
    const u32 mask = (u32{1} << bits_) - 1;
    return ((node << 1) | (node >> (bits_ - 1))) & mask;
  }

 private:
  u32 bits_;
};

const bool shuffle_registered = PatternRegistry::instance().add(
    "shuffle", {"node i sends to i with its bits rotated left by one; nodes: a power of two",
                [](const PatternSpec& spec) { return std::make_unique<Shuffle>(spec); }});

}  // namespace
}  // namespace weft::workloads
