// Gathers what the ranks counted into the result on rank 0, and writes the report on a deadlock.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "engine/digest.hpp"
#include "models/network/layout.hpp"
#include "models/network/network.hpp"
#include "tools/simulate/context.hpp"

namespace weft::tools {

void collect_accounting(Context& context, const models::Counters& all);
void collect_digest(Context& context, const engine::Digest& mine);
void collect_engine(Context& context, const EngineShare& mine, const models::Counters& all, Tick lookahead);
void collect_endpoints(Context& context, const models::Layout& layout, const std::vector<u32>& injected,
                       const std::vector<u32>& delivered);
/// Loads, latencies and distances of a time of `cycles` in which `c` was counted.
void summarise_counts(Context& context, const models::Counters& c, double cycles, std::span<const u64> histogram,
                      Tick latency_max, u32 distance_max);
/// Throws StuckError on every rank; its detail (on rank 0) is the cycle of waiting queues.
[[noreturn]] void report_deadlock(Context& context, const std::vector<models::Blocked>& mine, u64 in_flight, Tick cycle,
                                  const std::string& why);

}  // namespace weft::tools
