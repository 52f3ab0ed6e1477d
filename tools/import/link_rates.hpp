// Rates of several classes of links as weft has them: one in 10^9 bit/s, of which a cycle comes, the others in phits a
// cycle, and a tick of which each phit takes a whole number.
#pragma once

#include <string>
#include <vector>

#include "engine/base/types.hpp"

namespace weft::tools {

constexpr double gbps_of_gib_per_s = 8 * 1.073741824;  ///< 2^30 bytes a second in 10^9 bit/s

struct LinkRates {
  double gbps = 0;                      ///< link.rate_gbps
  double cycle_ns = 0;                  ///< time of a phit at it
  i64 tick_ps = 0;                      ///< simulation.tick_ps; 0: a tick is a cycle
  std::vector<double> phits_per_cycle;  ///< of the other classes
};

/// `others`: rates of other classes, 10^9 bit/s. Where all are alike they are exact; else each phit is rounded to a
/// tick, which is less than 1/1000 of a cycle.
[[nodiscard]] LinkRates link_rates(double gbps, const std::vector<double>& others, i64 phit_bytes);

/// Rates as multiples of `usual` by fractions of small numbers, so that a tick is found for all of them: fabric files
/// have rates of their own for each link. Within 1/1000 where such fractions are found, else 3/1000, and so on.
[[nodiscard]] std::vector<double> simple_rates(const std::vector<double>& rates, double usual);

}  // namespace weft::tools
