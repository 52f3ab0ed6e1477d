// Pattern "zipf": the k-th most wanted node gets a share that falls as k^-s, as services and shared data are wanted.
#include <algorithm>
#include <bit>
#include <cmath>

#include "workloads/traffic/pattern/pattern.hpp"

namespace weft::workloads {
namespace {

/// A fixed permutation of 0 .. count - 1 drawn from a seed, without a table: a Feistel network on the bits of a number,
/// walked until the result is below `count` (Black, Rogaway: Ciphers with arbitrary finite domains, CT-RSA 2002).
class SeededPermutation {
 public:
  SeededPermutation(u32 count, u64 seed) : count_(count) {
    const auto bits = static_cast<u32>(std::bit_width(count - 1));
    low_bits_ = (bits + 1) / 2;
    masks_[0] = (u32{1} << low_bits_) - 1;
    masks_[1] = (u32{1} << (bits - low_bits_)) - 1;
    for (u32 round = 0; round < rounds; ++round)
      keys_[round] = engine::random_bits(seed, round, 0, engine::Use::kernel);
  }
  [[nodiscard]] u32 image(u32 value) const {
    do {
      for (u32 round = 0; round < rounds; ++round) value = mixed(value, round);
    } while (value >= count_);
    return value;
  }
  [[nodiscard]] u32 origin(u32 value) const {
    do {
      for (u32 round = rounds; round-- > 0;) value = mixed(value, round);
    } while (value >= count_);
    return value;
  }

 private:
  static constexpr u32 rounds = 8;

  /// Changes one half by the other: its own inverse.
  [[nodiscard]] u32 mixed(u32 value, u32 round) const {
    const u32 low = value & masks_[0], high = value >> low_bits_;
    if (round % 2 == 0) return high << low_bits_ | (low ^ (scrambled(high, round) & masks_[0]));
    return (high ^ (scrambled(low, round) & masks_[1])) << low_bits_ | low;
  }
  [[nodiscard]] u32 scrambled(u32 half, u32 round) const {
    return static_cast<u32>(engine::remix(keys_[round], half) >> 32);
  }

  u32 count_, low_bits_ = 0;
  u32 masks_[2] = {};  ///< low half, high half
  u64 keys_[rounds] = {};
};

/// Draws k from 1 .. n with a probability in proportion to k^-s, one k left out, by rejection-inversion (Hormann,
/// Derflinger: Rejection-inversion to generate variates from monotone discrete distributions, ACM TOMACS 6(3), 1996):
/// k is the whole number next to a point under the curve x^-s between 1/2 and n + 1/2. No table, and two or so tries.
class ZipfLaw {
 public:
  ZipfLaw(u32 n, double exponent) : exponent_(exponent), begin_(area(1.5) - 1), end_(area(n + 0.5)), n_(n) {}

  [[nodiscard]] u32 draw(u32 without, u64 random_bits) const {
    // The stretch of the number left out is cut out, so that it costs no tries however likely the number would be.
    const double cut = left_edge(without), length = area(without + 0.5) - cut;
    for (u64 attempt = first_attempt;; ++attempt) {
      double u = begin_ + engine::to_unit(engine::remix(random_bits, attempt)) * (end_ - begin_ - length);
      if (u >= cut) u += length;
      const double x = place(u);
      auto k = static_cast<u32>(std::clamp(x + 0.5, 1.0, static_cast<double>(n_)));
      if (k == without) k = u < cut + length / 2 ? k - 1 : k + 1;  // by rounding, at an edge of the stretch
      if (k < 1 || k > n_) continue;
      if (u >= area(k + 0.5) - std::pow(k, -exponent_)) return k;
    }
  }

 private:
  /// Other uses of the same bits take the first numbers (synthetic_host.hpp).
  static constexpr u64 first_attempt = 1000;

  /// Integral of x^-s from 1 to x, and its inverse. Exact where s is close to 1, too.
  [[nodiscard]] double area(double x) const {
    const double log_x = std::log(x), t = (1 - exponent_) * log_x;
    return std::abs(t) < 1e-8 ? log_x * (1 + t / 2) : std::expm1(t) / (1 - exponent_);
  }
  [[nodiscard]] double place(double u) const {
    const double t = (1 - exponent_) * u;
    return std::exp(std::abs(t) < 1e-8 ? u * (1 - t / 2) : std::log1p(t) / (1 - exponent_));
  }
  [[nodiscard]] double left_edge(u32 k) const { return k == 1 ? begin_ : area(k - 0.5); }

  double exponent_, begin_, end_;
  u32 n_;
};

class Zipf final : public Pattern {
 public:
  explicit Zipf(const PatternSpec& spec)
      : order_(spec.nodes, spec.seed), law_(spec.nodes, spec.keys.real("zipf_exponent")) {}
  NodeId destination(NodeId source, const PacketDraw& packet) const override {
    return NodeId(order_.image(law_.draw(order_.origin(source.value()) + 1, packet.bits) - 1));
  }
  bool sends(NodeId) const override { return true; }

 private:
  SeededPermutation order_;  ///< node of each rank of the law, counted from 0
  ZipfLaw law_;
};

const bool zipf_registered = PatternRegistry::instance().add(
    "zipf",
    {.help = "the k-th most wanted node in proportion to k^-s, s = workload.zipf_exponent; the order is drawn from the "
             "seed",
     .make = [](const PatternSpec& spec) { return std::make_unique<Zipf>(spec); },
     .settings = {row::real("workload.zipf_exponent", "", 1.0, {0.0, 10.0},
                            "the k-th most wanted node gets packets in proportion to k to the power of minus this.")
                      .because("0 is uniform, 1 Zipf's own law; 10 sends all but a thousandth to one node")}});

}  // namespace
}  // namespace weft::workloads
