// From integer counts of a time to the figures of a result: loads, latencies, distances.
#pragma once

#include <span>

#include "models/core/statistics.hpp"
#include "tools/result/run_result.hpp"
#include "tools/run/context.hpp"

namespace weft::tools {

/// What was counted in a time of `cycles` cycles, over all ranks.
struct Measured {
  models::Counters counts;
  double cycles = 0;
  Tick time_in_network = 0;        ///< ticks that all packets together were in the network in that time
  std::span<const u64> histogram;  ///< of latencies, [LatencyHistogram's bin]
  Tick latency_max = 0;            ///< ticks
  u32 distance_max = 0;            ///< links
  Tick last_reroute = 0;           ///< ticks, in the whole run
};

/// What turns counts and ticks into phits, phits/node/cycle and cycles: the one place that knows how long packets are.
struct LoadScale {
  u32 nodes = 1, packet_phits = 1;
  Tick ticks_per_cycle = 1;
  bool counts_cells = false;  ///< packets have different lengths: their cells are counted, and the time links are taken
  u32 routers = 1;
  Tick cell_ticks = 0;  ///< of a cell on the link of a node; 0: links take no cells, or differ
  /// Phits of the packets that were injected, and delivered.
  [[nodiscard]] double injected(const models::Counters& c) const { return phits(c.injected, c.injected_cells); }
  [[nodiscard]] double delivered(const models::Counters& c) const { return phits(c.delivered, c.delivered_cells); }
  /// Phits of the packets generated less those that are gone; packets of different lengths count as the mean of those
  /// generated.
  [[nodiscard]] double in_flight_growth(const models::Counters& c) const {
    if (c.generated == 0) return 0;
    const double mean = phits(c.generated, c.generated_cells) / static_cast<double>(c.generated);
    return mean * (static_cast<double>(c.generated) - static_cast<double>(c.gone()));
  }
  /// Cycles for which packets take links that have begun to carry so many; `ticks`: as counted.
  [[nodiscard]] double busy_cycles(u64 packets, u64 ticks) const {
    return counts_cells ? static_cast<double>(ticks) / static_cast<double>(ticks_per_cycle) : phits(packets, 0);
  }

 private:
  [[nodiscard]] double phits(u64 packets, u64 cells) const {
    return counts_cells ? static_cast<double>(cells) : static_cast<double>(packets) * packet_phits;
  }
};
/// That of a run.
[[nodiscard]] LoadScale load_scale(const Context& context);

/// Gives a result with traffic classes a row for packets that are of none of them, once there are any.
void add_rest_of_classes(RunResult& result, const models::Counters& all);
/// What was counted of the packets of a row.
[[nodiscard]] models::ClassCounts counts_of(const ClassRow& row, const models::Counters& all);

/// Fills in loads, latencies and distances of a result, and those of its traffic classes. Latencies stay 0 if nothing
/// was delivered. The mean from injection is the time that packets spent in the network over the number delivered
/// (Little's law): exact where the network is as full at the end as at the begin, and it never mixes the waiting times
/// of some packets with the latencies of others.
void summarise_counts(RunResult& result, const Measured& measured, const LoadScale& scale);

}  // namespace weft::tools
