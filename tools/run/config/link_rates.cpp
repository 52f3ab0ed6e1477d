// Rates of classes of links; see the header.
#include "tools/run/config/link_rates.hpp"

#include <cmath>
#include <fmt/format.h>
#include <numeric>

#include "engine/base/error.hpp"
#include "tools/run/config/settings.hpp"

namespace weft::tools {
namespace {

std::string key_of(const std::string& link_class, const char* what) {
  return link_class == "link" ? fmt::format("link.{}", what) : fmt::format("link.{}.{}", link_class, what);
}

/// Whether a rate of one class is given in 10^9 bit/s.
bool in_gbps(const Config& config, const std::string& key) { return find_setting(key) != nullptr && config.given(key); }

/// A time in ps as the whole number that it is but for rounding; 0 if it is none.
i64 whole_ps(double ps) {
  const double nearest = std::round(ps);
  return nearest >= 1 && std::abs(ps - nearest) <= 1e-9 * nearest ? static_cast<i64>(nearest) : 0;
}

i64 phit_ps(const Config& config, const std::string& key) {
  const double rate = config.real(key), bits = 8.0 * static_cast<double>(config.integer("packet.phit_bytes"));
  const double ps = bits * 1000.0 / rate;
  if (const i64 whole = whole_ps(ps); whole != 0) return whole;
  throw ConfigError(fmt::format(
      "{}: {} = {} makes a phit of {} bytes last {} ps (no whole number, so no tick fits); use {} = {}, nearest to it",
      config.place(key), key, real_text(rate), config.integer("packet.phit_bytes"), real_text(ps), key,
      real_text(bits * 1000.0 / std::max(1.0, std::round(ps)))));
}

}  // namespace

ClassRate class_rate(const Config& config, const std::string& link_class) {
  const std::string own = key_of(link_class, "phits_per_cycle"), gbps = key_of(link_class, "rate_gbps");
  const bool own_given = find_setting(own) != nullptr && config.given(own);
  if (link_class == "link" || !in_gbps(config, gbps)) {
    const std::string key = own_given ? own : key_of("link", "phits_per_cycle");
    return {key, config.real(key)};
  }
  if (own_given)
    throw ConfigError(fmt::format("{}: {} and {} are both given (two values for one rate); remove one of them",
                                  config.place(gbps), gbps, own));
  const double of_all = config.real("link.rate_gbps"), rate = config.real(gbps);
  if (of_all == 0)
    throw ConfigError(fmt::format("{}: {} needs link.rate_gbps (a cycle is the time of one phit at that rate); give it",
                                  config.place(gbps), gbps));
  if (rate == 0) return {key_of("link", "phits_per_cycle"), config.real("link.phits_per_cycle")};
  return {gbps, rate / of_all};
}

i64 automatic_tick_ps(const Config& config) {
  if (config.integer("simulation.tick_ps") != 0 || config.real("link.rate_gbps") == 0) return 0;
  bool asked = config.real("link.latency_ns") != 0;
  i64 tick = 0;
  for (const Setting& setting : settings()) {
    if (setting.table() != "link" || setting.key == "link.rate_gbps" || !setting.key.ends_with(".rate_gbps")) continue;
    if (!config.given(setting.key) || config.real(setting.key) == 0) continue;
    tick = std::gcd(tick, phit_ps(config, setting.key));
    asked = true;
  }
  if (!asked) return 0;
  tick = std::gcd(tick, phit_ps(config, "link.rate_gbps"));
  if (const i64 latency = whole_ps(config.real("link.latency_ns") * 1000.0); latency != 0)
    tick = std::gcd(tick, latency);
  const i64 speedup = config.integer("router.speedup");
  return tick % speedup == 0 ? tick / speedup : tick;  // if it does not divide it, the check of router.speedup says so
}

}  // namespace weft::tools
