// What patterns got that were sent as packets, beside what was expected of their flows.
#pragma once

#include <span>
#include <vector>

#include "engine/base/types.hpp"

namespace weft::tools {

/// Pairs by their fraction of a link: bin b has the shares nearest to b / 200, so that 1/2, 1/4... are not on an edge.
constexpr u32 pair_bins = 201;
[[nodiscard]] u32 pair_bin(double share);
/// Their edges, pair_bins + 1.
[[nodiscard]] std::vector<double> pair_bin_edges();
/// The bins of flows, by how many have each congestion.
[[nodiscard]] std::vector<u64> flow_bins(std::span<const u64> congestions);

/// fractions of a link of the pairs whose routes have one congestion.
struct PairShares {
  u64 pairs = 0;
  double sum = 0, squares = 0, min = 0, max = 0;
  void add(double share);
  void add(const PairShares& more);
  [[nodiscard]] double mean() const;
  [[nodiscard]] double stddev() const;
};

/// One pattern. Fractions are of what the link of a node carries of messages.
struct PacketResult {
  double bandwidth = 0;           ///< mean over the pairs of all rounds, times the pattern's scale
  double correlation = 0;         ///< of pairs: 1 / congestion and fraction; NaN if one of them is the same everywhere
  double largest_difference = 0;  ///< between the two, over the pairs
  u64 cycles = 0, packets = 0;    ///< simulated
  std::vector<PairShares> by_congestion;  ///< [models::congestion_bin]
  std::vector<u64> histogram;             ///< pairs, [bin]
};

/// Makes a PacketResult of one pair after the other.
class PairCollector {
 public:
  PairCollector();
  void add(double congestion, double share);
  /// With simulated cycles and packets yet to be filled in.
  [[nodiscard]] PacketResult finished(u32 scale);

 private:
  PacketResult result_;
  PairShares all_, expected_;
  double products_ = 0;
};

/// A result as words to be sent, behind those that are there; and back, from `at` on, which moves behind it.
void pack(const PacketResult& result, std::vector<u64>& words);
[[nodiscard]] PacketResult unpacked(std::span<const u64> words, std::size_t& at);

/// All patterns together.
struct PacketSummary {
  std::vector<double> bandwidths, correlations, largest_differences;  ///< [pattern]
  double mean = 0, stddev = 0, min = 0, max = 0, ci95 = 0;            ///< of the bandwidth, as of flows
  double pattern_difference = 0;  ///< largest between the bandwidth of a pattern's packets and of its flows
  double pair_difference = 0;     ///< the same over all pairs
  /// Correlations of those patterns that have one; NaN if none has.
  double mean_correlation = 0, least_correlation = 0, most_correlation = 0;
  PairShares pairs;                       ///< all of them
  std::vector<PairShares> by_congestion;  ///< [congestion]
  std::vector<u64> histogram;             ///< pairs, [bin]
  u64 cycles = 0, packets = 0;            ///< simulated
};

/// Takes results in the order of the patterns' numbers.
class PacketCollector {
 public:
  /// `flow_bandwidth`: of the same pattern's flows.
  void take(const PacketResult& result, double flow_bandwidth);
  [[nodiscard]] PacketSummary finished();

 private:
  PacketSummary summary_;
};

}  // namespace weft::tools
