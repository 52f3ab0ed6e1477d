// What weft fabric ebb says: as text, as JSON, and as HDF5.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "models/subnet/speeds.hpp"
#include "tools/fabric/flow_runs.hpp"
#include "tools/fabric/packet_config.hpp"
#include "tools/fabric/report/loggp.hpp"

namespace weft::tools {

/// Bins of the published histograms.
inline constexpr u32 default_bins = 50;

/// How the patterns were sent as packets.
struct PacketReport {
  PairMessages messages;
  bool takes_tables = false;
  double link_mib_per_s = 0;   ///< 0: not known
  nlohmann::json config;       ///< all settings; of pairs, those of no pattern
  std::vector<double> shares;  ///< [route], of a pattern from a file
};

/// A finished experiment and what it was made with.
struct FlowReport {
  std::string fabric, routing, pattern, mapping, lid;
  u32 hosts = 0, switches = 0;
  u64 switch_links = 0, host_links = 0;
  u32 layers = 1;
  u64 seed = 1;
  u32 scale = 1;
  bool both_ways = false;
  u32 bins = default_bins;       ///< of histograms
  std::optional<LogGp> loggp;    ///< of a route that shares no link
  double patterns_possible = 0;  ///< 0: not counted
  FlowSummary summary;
  std::vector<double> congestion;     ///< [route], of a pattern from a file
  std::map<std::string, u64> speeds;  ///< links by speed, where they differ
  models::LinkSpeed usual_speed;      ///< what fractions are fractions of, where speeds differ
  PacketReport packets;               ///< of no meaning if no packets were sent
  [[nodiscard]] bool has_packets() const { return !summary.packets.bandwidths.empty(); }
};

/// How many bisect patterns there are for so many hosts: n! / (n / 2)! for even n (which half sends, who to whom); with
/// one left over, n times those of n - 1. Infinity beyond what a double holds.
[[nodiscard]] double possible_bisect_patterns(u32 hosts);

/// Patterns by their bandwidth in bins of equal width from 0 to the first whole fraction at or above the largest.
struct BandwidthHistogram {
  std::vector<double> edges;
  std::vector<u64> counts;
};
[[nodiscard]] BandwidthHistogram histogram_of(const std::vector<double>& bandwidths, u32 bins);

[[nodiscard]] std::string text_of(const FlowReport& report);
[[nodiscard]] nlohmann::json json_of(const FlowReport& report);
void write_hdf5(const FlowReport& report, const std::string& path);

}  // namespace weft::tools
