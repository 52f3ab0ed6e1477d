// How likely each length of a packet is.
#pragma once

#include <algorithm>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/types.hpp"
#include "engine/random.hpp"

namespace weft::workloads {

/// A length of packets, and how often it is drawn beside others.
struct LengthWeight {
  u32 phits;
  u32 weight;
};

/// The lengths that packets are drawn with: all of a range with the same chance, or each with its own. Exact: chances
/// are counts of 2^-32.
class PacketLengths {
 public:
  /// All from `least` to `most`, each with the same chance.
  PacketLengths(u32 least, u32 most)
      : least_(least), most_(most), mean_(0.5 * (static_cast<double>(least) + static_cast<double>(most))) {}
  /// Each with the chance weight / sum of the weights, which is not 0.
  explicit PacketLengths(const std::vector<LengthWeight>& weights) {
    u64 sum = 0, before = 0;
    double phits = 0;
    for (const LengthWeight& one : weights) sum += one.weight;
    WEFT_ASSERT(sum != 0);
    for (const LengthWeight& one : weights) {
      if (one.weight == 0) continue;
      steps_.push_back({static_cast<u64>((u128{before} << 32) / sum), one.phits});
      before += one.weight;
      phits += static_cast<double>(one.weight) * one.phits;
    }
    const auto [least, most] = std::ranges::minmax(steps_, {}, &Step::phits);
    least_ = least.phits;
    most_ = most.phits;
    mean_ = phits / static_cast<double>(sum);
  }

  [[nodiscard]] u32 least() const { return least_; }
  [[nodiscard]] u32 most() const { return most_; }
  [[nodiscard]] double mean() const { return mean_; }
  /// The length of the packet that `bits` were drawn for.
  [[nodiscard]] u32 draw(u64 bits) const {
    constexpr u64 place = 0x1e57;  // among the draws made of the same bits, by sources and by routers
    const u64 own = engine::remix(bits, place);
    if (steps_.empty()) return least_ + engine::scale_to(own, most_ - least_ + 1);
    return std::prev(std::ranges::upper_bound(steps_, own >> 32, {}, &Step::from))->phits;
  }

 private:
  struct Step {
    u64 from;  ///< of 2^32: draws from here up to the next step's have this length
    u32 phits;
  };
  u32 least_ = 1, most_ = 1;
  double mean_ = 1;
  std::vector<Step> steps_;  ///< empty: all lengths alike
};

}  // namespace weft::workloads
