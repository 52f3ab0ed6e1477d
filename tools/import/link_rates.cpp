#include "tools/import/link_rates.hpp"

#include <algorithm>
#include <cmath>

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

double simple_rate(double rate, double usual) {
  constexpr double most_parts = 1000, near_enough = 0.001;
  for (double parts = 1; parts <= most_parts; ++parts) {
    const double near = std::max(1.0, std::round(rate / usual * parts)) / parts * usual;
    if (std::abs(near - rate) <= near_enough * rate) return near;
  }
  return rate;
}

}  // namespace weft::tools
