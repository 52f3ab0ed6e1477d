// Which rank simulates which routers: at the start of a run, and anew when the load has moved.
#pragma once

#include <vector>

#include "engine/partition.hpp"
#include "tools/simulate/context.hpp"

namespace weft::tools {

/// Computes the partition on rank 0 and gives it to all, in context. METIS balances what routers had sent in the checkpoint of
/// `parallel.weights`, or in that which the run goes on from. Throws ConfigError if there are more ranks than routers.
void split(Context& context, engine::PartitionMethod method);

/// Shares the routers out anew if what the entities have sent lately says so: `recent` packets of entity `ids`, of this rank.
/// True if `parallel.rebalance_above` is exceeded and there is a better partition, which is then in context. Collective.
[[nodiscard]] bool rebalance(Context& context, const std::vector<u32>& ids, const std::vector<u32>& recent);

}  // namespace weft::tools
