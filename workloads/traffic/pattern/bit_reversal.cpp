// Pattern "bit-reversal": the exchange of an FFT; hard for dimension order routing.
#include "workloads/traffic/pattern/permutation.hpp"

namespace weft::workloads {
namespace {

class BitReversal final : public Permutation {
 public:
  explicit BitReversal(const PatternSpec& spec) : bits_(node_bits("bit-reversal", spec.nodes, 2)) {}
  u32 image(u32 node) const override {
    u32 result = 0;
    for (u32 bit = 0; bit < bits_; ++bit) result |= ((node >> bit) & 1) << (bits_ - 1 - bit);
    return result;
  }

 private:
  u32 bits_;
};

const bool bit_reversal_registered = PatternRegistry::instance().add(
    "bit-reversal", {"node i sends to i with its bits in reverse order; nodes: a power of two",
                     [](const PatternSpec& spec) { return std::make_unique<BitReversal>(spec); }});

}  // namespace
}  // namespace weft::workloads
