// Pattern "bit-complement": every packet crosses the middle of every dimension.
#include "workloads/traffic/pattern/permutation.hpp"

namespace weft::workloads {
namespace {

class BitComplement final : public Permutation {
 public:
  explicit BitComplement(const PatternSpec& spec) : bits_(node_bits("bit-complement", spec.nodes, 1)) {}
  u32 image(u32 node) const override { return ~node & ((u32{1} << bits_) - 1); }

 private:
  u32 bits_;
};

const bool bit_complement_registered = PatternRegistry::instance().add(
    "bit-complement", {"node i sends to the complement of i's bits; nodes: a power of two",
                       [](const PatternSpec& spec) { return std::make_unique<BitComplement>(spec); }});

}  // namespace
}  // namespace weft::workloads
