// Many patterns: shared out over the ranks, and put together in the order of their numbers.
#pragma once

#include <vector>

#include "engine/transport.hpp"
#include "tools/fabric/flow_experiment.hpp"
#include "tools/fabric/report/packet_summary.hpp"
#include "tools/run/progress.hpp"

namespace weft::tools {

/// All patterns together.
struct FlowSummary {
  u64 patterns = 0, routes = 0;
  double mean = 0, stddev = 0, min = 0, max = 0,
         ci95 = 0;  ///< of the bandwidth, over patterns; ci95: half_width95 of the mean, NaN of a single random pattern
  double task_avg = 0, sum_avg = 0, sum_max = 0;  ///< means over patterns, as are the next two
  double pi_avg = 0, pi_max = 0;                  ///< congestions
  bool precise = false;                           ///< the precision asked for was reached
  std::vector<double> bandwidths;                 ///< [pattern]
  std::vector<double> sum_avgs;                   ///< [pattern]
  std::vector<u64> congestions;                   ///< routes by their congestion, [models::congestion_bin]
  PacketSummary packets;                          ///< of the same patterns; of none if no packets were sent
};

struct FlowLimits {
  u64 count = 1000;      ///< patterns at most
  double precision = 0;  ///< stop when ci95 is no larger; 0: never
};

/// Precision is looked at after so many patterns, whatever the number of ranks.
constexpr u64 patterns_per_look = 64;

class PacketExperiment;
class PairTable;

/// What else is done with each pattern; null: nothing.
struct FlowExtras {
  PacketExperiment* packets = nullptr;  ///< sends it as packets as well
  PairTable* pairs = nullptr;           ///< gets what each of its pairs gets, on rank 0; given on all ranks or on none
};

/// Shares the patterns out over the ranks. The summary is on rank 0 and the same for any number of them. Collective.
[[nodiscard]] FlowSummary run_flows(FlowExperiment& experiment, const FlowLimits& limits, engine::Transport& transport,
                                    Progress& progress, const FlowExtras& extras = {});

}  // namespace weft::tools
