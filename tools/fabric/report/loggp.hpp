// LogGP parameters of routes by their congestion: what programs that predict run times from LogGP take from a fabric.
// (Hoefler, Schneider, Lumsdaine, Cluster 2008, 3.1: "G is multiplied with pi. The latency can be modeled as a linear
// function L(pi). The parameters o and g are independent of the congestion.")
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/base/types.hpp"

namespace weft::tools {

/// Parameters of a route that shares no link, in ns and ns/byte.
struct LogGp {
  double latency = 0, overhead = 0, gap = 0, byte_gap = 0;
  double latency_step = 0;  ///< ns that each further route on the same link adds to the latency

  [[nodiscard]] double latency_at(u64 congestion) const {
    return latency + static_cast<double>(congestion - 1) * latency_step;
  }
  [[nodiscard]] double byte_gap_at(u64 congestion) const { return byte_gap * static_cast<double>(congestion); }
  /// L(pi) + 2 o + (bytes - 1) G pi, in ns.
  [[nodiscard]] double time_of(u64 bytes, u64 congestion) const;
};

/// "L,o,g,G" or "L,o,g,G,STEP". Throws ConfigError for anything else, and for negative numbers.
[[nodiscard]] LogGp loggp_of(const std::string& text);

/// A row for each congestion from 1 to the largest of `routes`, [congestion].
[[nodiscard]] std::string loggp_text(const LogGp& model, const std::vector<u64>& routes);
[[nodiscard]] nlohmann::json loggp_json(const LogGp& model, const std::vector<u64>& routes);

}  // namespace weft::tools
