// Gathers what the ranks counted into the result on rank 0, and writes the report on a deadlock.
#pragma once

#include <string>
#include <vector>

#include "engine/digest.hpp"
#include "models/core/in_flight.hpp"
#include "models/core/layout.hpp"
#include "models/core/statistics.hpp"
#include "tools/run/collect/summarise.hpp"
#include "tools/run/context.hpp"

namespace weft::tools {

/// Counts of packets, and the check that none was lost: those `in_flight` were counted where they are. Throws Bug.
void collect_accounting(Context& context, const models::Counters& all, const models::InFlight& in_flight);
/// The first packet dropped on any rank. Collective.
[[nodiscard]] models::FirstDrop first_of_ranks(const Context& context, const models::FirstDrop& mine);
/// "3 packets were dropped: ...", why, and which was the first of those that should have arrived. Empty if none was, or
/// neither because of faults nor by a rule of the routers.
[[nodiscard]] std::string drops_text(const Context& context, const models::Counters& all,
                                     const models::FirstDrop& first);
void collect_digest(Context& context, const engine::Digest& mine);
void collect_engine(Context& context, const EngineShare& mine, const models::Counters& all, Tick lookahead);
void collect_endpoints(Context& context, const models::Layout& layout, const std::vector<u32>& injected,
                       const std::vector<u32>& delivered);
/// A warning: now, and in the result.
void warn(Context& context, const std::string& text);
/// What --verbose and --log tell of checkpoints.
void say_saved(const Context& context, Tick cycle, const std::string& path, double seconds);
void say_resumed(const Context& context, Tick cycle);
/// Throws StuckError on every rank; its detail (on rank 0) is the cycle of waiting queues.
[[noreturn]] void report_deadlock(Context& context, const std::vector<models::Blocked>& mine, u64 in_flight, Tick cycle,
                                  const std::string& why);

}  // namespace weft::tools
