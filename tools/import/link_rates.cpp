// Rates of links of several classes, as phits a cycle of one of them.
#include "tools/import/link_rates.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace weft::tools {

LinkRates link_rates(double gbps, const std::vector<double>& others, i64 phit_bytes) {
  const double bits = 8.0 * static_cast<double>(phit_bytes);
  LinkRates rates{.gbps = gbps, .cycle_ns = bits / gbps, .phits_per_cycle = std::vector<double>(others.size(), 1.0)};
  if (std::ranges::all_of(others, [gbps](double other) { return std::abs(other - gbps) < 1e-9 * gbps; })) return rates;
  double fastest = gbps;
  for (const double other : others) fastest = std::max(fastest, other);
  // The largest power of ten of ps of which the shortest phit has 1000 or more.
  rates.tick_ps = 1;
  while (bits / fastest >= static_cast<double>(rates.tick_ps) * 10) rates.tick_ps *= 10;
  const auto ticks = [&](double rate) {
    return std::max(1.0, std::round(bits / rate * 1000 / static_cast<double>(rates.tick_ps)));
  };
  const double cycle = ticks(gbps);
  rates.cycle_ns = cycle * static_cast<double>(rates.tick_ps) / 1000;
  rates.gbps = bits / rates.cycle_ns;
  for (std::size_t k = 0; k < others.size(); ++k) rates.phits_per_cycle[k] = cycle / ticks(others[k]);
  return rates;
}

std::vector<double> simple_rates(const std::vector<double>& rates, double usual) {
  // A phit at p / q of the usual rate takes q / p of the usual ticks, of which there must be a multiple of all p.
  constexpr i64 most_ticks = 1000;
  for (double near_enough = 0.001; near_enough < 1; near_enough *= 3) {
    i64 ticks = 1;
    std::vector<double> found;
    for (const double rate : rates) {
      for (i64 p = 1; p <= most_ticks; ++p) {
        const double q = std::max(1.0, std::round(static_cast<double>(p) * usual / rate));
        const double near = static_cast<double>(p) / q * usual;
        if (std::abs(near - rate) > near_enough * rate) continue;
        found.push_back(near);
        ticks = std::lcm(ticks, p);
        break;
      }
      if (ticks > most_ticks) break;
    }
    if (found.size() == rates.size() && ticks <= most_ticks) return found;
  }
  return std::vector<double>(rates.size(), usual);
}

}  // namespace weft::tools
