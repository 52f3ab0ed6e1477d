// Which rank simulates which routers: at the start of a run, and anew when the load has moved.
#pragma once

#include <vector>

#include "models/core/layout.hpp"
#include "tools/run/context.hpp"

namespace weft::tools {

/// Puts the partition that `parallel.partition` asks for into context, and its name. Boxes and subtrees are worked out
/// by each rank as they are needed, others by rank 0, which gives them to all. METIS balances what routers had sent in
/// the checkpoint of `parallel.weights`, or in that which the run goes on from; "auto" takes METIS where boxes or
/// subtrees would not. Throws ConfigError if there are more ranks than routers, or no boxes or subtrees; InputError for
/// a bad file.
void split(Context& context);

/// This rank's share of the network. The partition in context is gone then: a table of the whole network would stay
/// with every rank.
[[nodiscard]] models::Layout lay_out(Context& context);

/// Shares the routers out anew if what the entities have sent lately says so: `recent` packets of entity `ids`, of this
/// rank. True if `parallel.rebalance_above` is exceeded and there is a better partition, which is then in context.
/// Collective.
[[nodiscard]] bool rebalance(Context& context, const std::vector<u32>& ids, const std::vector<u32>& recent);

}  // namespace weft::tools
