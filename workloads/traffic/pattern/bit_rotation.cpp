// Pattern "bit-rotation": the way back of the perfect shuffle.
#include "workloads/traffic/pattern/permutation.hpp"

namespace weft::workloads {
namespace {

/// Bit i of the destination is bit i + 1 of the source (Dally & Towles 2004, section 3.2, table 3.1).
class BitRotation final : public Permutation {
 public:
  explicit BitRotation(const PatternSpec& spec) : bits_(node_bits("bit-rotation", spec.nodes, 2)) {}
  u32 image(u32 node) const override { return (node >> 1) | ((node & 1) << (bits_ - 1)); }

 private:
  u32 bits_;
};

const bool bit_rotation_registered = PatternRegistry::instance().add(
    "bit-rotation", {"node i sends to i with its bits rotated right by one; nodes: a power of two",
                     [](const PatternSpec& spec) { return std::make_unique<BitRotation>(spec); }});

}  // namespace
}  // namespace weft::workloads
