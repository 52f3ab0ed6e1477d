// What flows get while a part of a fabric is down, until its failure is detected, the subnet manager has made new
// tables, and the part works again.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "models/subnet/forwarding.hpp"
#include "tools/fabric/fabric.hpp"
#include "tools/fabric/what_if.hpp"

namespace weft::tools {

inline constexpr double no_time = std::numeric_limits<double>::infinity();

/// When what happens, from the failure on.
struct LossTimes {
  double detection_us = 0;     ///< until the switches at the ends know
  double sweep_us = 0;         ///< from then on until all switches have new tables
  double repair_us = no_time;  ///< until the part works again; its tables follow as those of the failure do
};

struct LossDuringChoice {
  std::string engine;
  std::vector<std::string> without;
  std::string pattern = "bisect";
  u64 count = 1000, seed = 1;  ///< patterns, if they are random
  LossTimes times;
};

/// Flows of a pattern send all they can; of each what its most shared link leaves it. Rates are fractions of the usual
/// link's.
struct FlowRates {
  double total = 0;  ///< of all flows of a round at once, mean over rounds and patterns
  double mean = 0;   ///< of a flow
  double worst = 1;  ///< least of any
  u64 stopped = 0;   ///< flows that get nothing, of all patterns
};

/// A time in which nothing changes.
struct LossPhase {
  double from_us = 0, until_us = no_time;
  bool works = true;        ///< the part, in fact
  bool new_tables = false;  ///< those made for the fabric without it
  FlowRates rates;
  double lost_us = 0;  ///< what all flows together send less than before the failure, in us of a link
};

struct LossDuring {
  Removal removal;
  std::vector<u32> hosts;  ///< that send
  u64 patterns = 0;        ///< one if all are the same
  u64 flows = 0;           ///< of all patterns
  FlowRates before;
  std::vector<LossPhase> phases;
};

/// The times between changes. A part that works again before its failure is detected, or before the tables are made,
/// gets no new ones: docs/faults.md has the same rules for packets.
[[nodiscard]] std::vector<LossPhase> phases_of(const LossTimes& times);

/// `tables`: those of the whole fabric; null: the engine's. While old tables go on, flows over the part get nothing and
/// the others what they got before; with new ones all get what those leave them, and flows of hosts that are cut off
/// nothing. Throws what removal_of and the engine throw, and StuckError for a route that does not arrive.
[[nodiscard]] LossDuring loss_during(const Fabric& fabric, const models::ForwardingTables* tables,
                                     const LossDuringChoice& choice);

}  // namespace weft::tools
