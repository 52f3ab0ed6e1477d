// What the runs of a scaling study say: speed-up, efficiency, where the time goes. Definitions are in docs/scaling.md.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/study/scaling/runs.hpp"
#include "tools/study/scaling/study.hpp"

namespace weft::tools {

/// A cell of the matrix with its figures. Fractions are of the fastest run's event loop, means over the ranks, 0..1.
struct ScalingPoint {
  Cell cell;
  RunRecord best;               ///< the run with the least wall time
  u32 runs = 0;                 ///< repeats made
  bool oversubscribed = false;  ///< more ranks than cores
  double spread = 0;            ///< (longest - shortest) / shortest wall time of the repeats
  double events_per_s = 0, packet_hops_per_s = 0;
  double speed_up = 0, efficiency = 0;    ///< 0 where nothing to compare with has been run
  std::optional<double> serial_fraction;  ///< Karp and Flatt; none on one rank
  double compute_share = 1, exchange_share = 0, waiting_share = 0;
  double remote_fraction = 0;  ///< messages between ranks / events
  double event_imbalance = 1;  ///< events of the busiest rank / mean over the ranks
  double bytes_per_rank = 0;   ///< largest resident set
};

/// The experimentally determined serial fraction (1/speed_up - 1/p) / (1 - 1/p) of A. H. Karp and H. P. Flatt,
/// Measuring parallel processor performance, CACM 33(5), 1990. None for p < 2.
[[nodiscard]] std::optional<double> karp_flatt(double speed_up, u32 p);

/// The figures of all cells that have runs, in the order of the matrix. Speed-up is over the smallest rank count of the
/// same size, protocol and partition, taken as that many times as fast as one; in a weak study it is the ratio of the
/// event rates. Throws nothing: cells without runs are left out.
[[nodiscard]] std::vector<ScalingPoint> scaling_points(const ScalingStudy& study, const RunLog& log);

/// Points that belong on one line of a plot, ascending by ranks.
struct ScalingSeries {
  std::string label;
  std::vector<const ScalingPoint*> points;
};
/// One for each size (strong), protocol and partition, named by what differs; what has one rank begins each of its
/// size. Points stay owned by `points`.
[[nodiscard]] std::vector<ScalingSeries> scaling_series(const ScalingStudy& study,
                                                        const std::vector<ScalingPoint>& points);

}  // namespace weft::tools
