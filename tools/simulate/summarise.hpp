// From integer counts of a time to the figures of a result: loads, latencies, distances.
#pragma once

#include <span>

#include "models/network/statistics.hpp"
#include "tools/result/run_result.hpp"

namespace weft::tools {

/// What was counted in a time of `cycles` cycles, over all ranks.
struct Measured {
  models::Counters counts;
  double cycles = 0;
  Tick time_in_network = 0;        ///< ticks that all packets together were in the network in that time
  std::span<const u64> histogram;  ///< of latencies, [LatencyHistogram's bin]
  Tick latency_max = 0;            ///< ticks
  u32 distance_max = 0;            ///< links
};

/// What turns packets and ticks into phits/node/cycle and cycles.
struct LoadScale {
  u32 nodes = 1, packet_phits = 1;
  Tick ticks_per_cycle = 1;
};

/// Fills in loads, latencies and distances of a result. Latencies stay 0 if nothing was delivered. The mean from
/// injection is the time that packets spent in the network over the number delivered (Little's law): exact where the
/// network is as full at the end as at the begin, and it never mixes the waiting times of some packets with the
/// latencies of others.
void summarise_counts(RunResult& result, const Measured& measured, const LoadScale& scale);

/// Middle of the histogram bin in which the quantile `q` of `total` latencies lies, in ticks; no more than `highest`.
[[nodiscard]] double latency_quantile(std::span<const u64> histogram, u64 total, double q, Tick highest);

}  // namespace weft::tools
