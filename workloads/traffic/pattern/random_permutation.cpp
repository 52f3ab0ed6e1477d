// Pattern "random-permutation": each node has one partner, drawn once for the run.
#include <numeric>
#include <utility>

#include "workloads/traffic/pattern/permutation.hpp"

namespace weft::workloads {
namespace {

/// One of the permutations without fixed points, all alike: shuffles until there is one (2.7 on average).
class RandomPermutation final : public Permutation {
 public:
  explicit RandomPermutation(const PatternSpec& spec) : images_(spec.nodes) {
    constexpr u32 most_shuffles = 1000;  // none of which fits: never
    for (u32 shuffle = 0; shuffle < most_shuffles; ++shuffle) {
      std::iota(images_.begin(), images_.end(), 0U);
      bool moves_all = true;
      for (u32 left = spec.nodes; left-- > 0;) {
        const u64 bits = engine::random_bits(spec.seed, left, shuffle, engine::Use::targets);
        std::swap(images_[left], images_[engine::scale_to(bits, left + 1)]);
        moves_all = moves_all && images_[left] != left;
      }
      if (moves_all) return;
    }
    for (u32 node = 0; node < spec.nodes; ++node) images_[node] = (node + 1) % spec.nodes;
  }
  u32 image(u32 node) const override { return images_[node]; }

 private:
  std::vector<u32> images_;
};

[[maybe_unused]] const bool random_permutation_registered = PatternRegistry::instance().add(
    "random-permutation", {.help = "a partner of its own, another node for each, drawn from simulation.seed",
                           .make = [](const PatternSpec& spec) { return std::make_unique<RandomPermutation>(spec); }});

}  // namespace
}  // namespace weft::workloads
