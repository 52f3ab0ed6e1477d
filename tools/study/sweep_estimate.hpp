// What a sweep will take, before it starts: short pilots say what a cycle costs, the configs how many there will be.
#pragma once

#include <string>
#include <vector>

#include "tools/study/sweep_networks.hpp"
#include "tools/study/sweep_table.hpp"

namespace weft::tools::sweep {

struct SweepEstimate {
  double cpu_s = 0;  ///< of the points that run and of those that a search will ask for
  u64 later = 0;     ///< points that a search will ask for, about
  u64 unknown = 0;   ///< points whose time cannot be told, not in cpu_s
};

/// What the points at `chosen` (places in the table) will take. Where they may take long and nothing is done yet to go
/// by, pilots of some hundred cycles run first, `jobs` at once: at the lowest and the highest load of each curve, of
/// some curves spread over all where there are many.
[[nodiscard]] SweepEstimate estimate_of(const SweepTable& table, const std::vector<std::optional<NetworkSize>>& sizes,
                                        const std::vector<std::size_t>& chosen, const std::string& weft, u32 jobs);

/// What a pilot found.
struct PilotCost {
  double accepted = 0;  ///< load, phits/node/cycle
  double cycle_s = 0;   ///< CPU seconds of a cycle
  double beside_s = 0;  ///< of a whole run, beside its cycles
};
/// Seconds of a run of so many cycles at a load: on the line through both pilots, up to what the network accepts.
[[nodiscard]] double run_seconds(const PilotCost& low, const PilotCost& high, double cycles, double load);

}  // namespace weft::tools::sweep
