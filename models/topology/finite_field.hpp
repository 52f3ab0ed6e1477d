// Finite fields GF(p^n): sums digit by digit, products by logarithms. What the wiring of algebraic graphs is made of.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/base/types.hpp"

namespace weft::models {

/// p^n.
struct PrimePower {
  u32 prime = 0, exponent = 0;
};
/// The prime and the exponent of a number; none if it is no prime power (1 is none).
[[nodiscard]] std::optional<PrimePower> prime_power(u32 number);

/// Element e = sum of e_i p^i stands for the polynomial sum of e_i x^i over GF(p), modulo x^n - r(x). Of all r, as
/// elements are numbered, the first is taken for which x is primitive: so x, element p (r itself where n is 1),
/// generates all elements but 0.
class FiniteField {
 public:
  /// `order` must be a prime power.
  explicit FiniteField(u32 order);

  [[nodiscard]] u32 order() const { return order_; }
  [[nodiscard]] u32 prime() const { return prime_; }
  [[nodiscard]] u32 sum(u32 a, u32 b) const {
    if (prime_ == 2) return a ^ b;
    if (prime_ == order_) return a + b < order_ ? a + b : a + b - order_;
    return digit_sum(a, b);
  }
  [[nodiscard]] u32 negative(u32 a) const { return negative_[a]; }
  [[nodiscard]] u32 difference(u32 a, u32 b) const { return sum(a, negative_[b]); }
  [[nodiscard]] u32 product(u32 a, u32 b) const { return a == 0 || b == 0 ? 0 : power_[logarithm_[a] + logarithm_[b]]; }
  /// a / b; b is not 0.
  [[nodiscard]] u32 quotient(u32 a, u32 b) const {
    return a == 0 ? 0 : power_[logarithm_[a] + (order_ - 1) - logarithm_[b]];
  }
  /// The generator to a power below 2 (order - 1).
  [[nodiscard]] u32 power(u32 exponent) const { return power_[exponent]; }
  /// "GF(9), x^2 = x + 1"
  [[nodiscard]] std::string name() const;

 private:
  [[nodiscard]] u32 digit_sum(u32 a, u32 b) const;
  /// Element times x, where x^n = r.
  [[nodiscard]] u32 times_x(u32 element, u32 r) const;
  /// Fills in the powers of x; false if some element but 0 is none.
  bool try_reduction(u32 r);

  u32 order_, prime_, exponent_;
  u32 reduction_ = 0;           ///< r
  std::vector<u32> power_;      ///< [exponent below 2 (order - 1)]
  std::vector<u32> logarithm_;  ///< [element], of 0 meaningless
  std::vector<u32> negative_;   ///< [element]
};

}  // namespace weft::models
