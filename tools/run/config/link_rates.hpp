// How fast the classes of links are, and the tick with which all of them can be had.
#pragma once

#include <string>

#include "tools/run/config/config.hpp"

namespace weft::tools {

/// The rate of a class of links, and the key that says it.
struct ClassRate {
  std::string key;  ///< "link.global.rate_gbps"
  double phits_per_cycle = 1;
};
/// The rate of a class ("link", "node", "global"...): link.CLASS.rate_gbps over link.rate_gbps, or
/// link.CLASS.phits_per_cycle, or that of all links. Throws ConfigError if both are given, and for a rate without one
/// of all links.
[[nodiscard]] ClassRate class_rate(const Config& config, const std::string& link_class);

/// The longest tick, in ps, of which phits on all classes of links whose rates are given in 10^9 bit/s, the latency
/// of links in ns and a phit in a faster crossbar take whole numbers; 0 where simulation.tick_ps is given, and where
/// nothing asks for one. Throws ConfigError for times that are no whole number of ps, with the nearest rate.
[[nodiscard]] i64 automatic_tick_ps(const Config& config);

}  // namespace weft::tools
