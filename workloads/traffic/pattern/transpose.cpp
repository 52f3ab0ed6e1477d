// Pattern "transpose": a matrix transposition; (x, y) sends to (y, x) on a square.
#include "workloads/traffic/pattern/permutation.hpp"

namespace weft::workloads {
namespace {

class Transpose final : public Permutation {
 public:
  explicit Transpose(const PatternSpec& spec) : bits_(even_node_bits("transpose", spec.nodes)) {}
  u32 image(u32 node) const override {
    const u32 half = bits_ / 2;
    return (node >> half) | ((node & ((u32{1} << half) - 1)) << half);
  }

 private:
  u32 bits_;
};

const bool transpose_registered = PatternRegistry::instance().add(
    "transpose", {"node i sends to i with the halves of its bits swapped; nodes: a power of four",
                  [](const PatternSpec& spec) { return std::make_unique<Transpose>(spec); }});

}  // namespace
}  // namespace weft::workloads
