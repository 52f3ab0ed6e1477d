// Which channels wait for which under given tables: where they wait in a cycle, full buffers can stop the fabric for
// good (a credit loop; Dally and Seitz 1987).
#pragma once

#include <string>
#include <vector>

#include "engine/base/types.hpp"
#include "models/subnet/forwarding.hpp"
#include "models/subnet/sl_to_vl.hpp"
#include "models/subnet/subnet.hpp"

namespace weft::models {

/// A channel and its virtual lane.
struct LaneOfChannel {
  u32 channel = 0;
  u32 lane = 0;
};

/// Cycles in the graph of dependencies.
struct CreditLoops {
  u64 dependencies = 0;              ///< pairs of channels of which one waits for the other
  u32 tangles = 0;                   ///< groups of channels that all wait for each other
  u64 channels = 0;                  ///< in these groups
  std::vector<LaneOfChannel> cycle;  ///< a shortest one through a channel of the first group; empty if there is none
};

/// Over the routes of all hosts to all targets. Without `lanes` they all use one virtual lane; with it they have all
/// service level `level`. Channels from and to hosts are left out: nothing waits for the first, the last wait for
/// nothing.
[[nodiscard]] CreditLoops find_credit_loops(const Subnet& subnet, const ForwardingTables& tables,
                                            const SlToVl* lanes = nullptr, u32 level = 0);

/// The channels of a cycle, each of which waits for the next and the last for the first: a line each behind `indent`,
/// after the first 20 how many more. `with_lanes`: their lanes, too.
[[nodiscard]] std::string cycle_text(const Subnet& subnet, const std::vector<LaneOfChannel>& cycle, bool with_lanes,
                                     const std::string& indent);

}  // namespace weft::models
