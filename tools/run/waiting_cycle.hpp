// Who waits for whom in a network that stands still: the heart of the report on a deadlock.
#pragma once

#include <vector>

#include "models/core/in_flight.hpp"

namespace weft::tools {

/// Queues of which each waits for free space in the next; if `closed`, the last one waits for the first: a deadlock's
/// cycle.
struct WaitingChain {
  std::vector<models::Blocked> queues;
  bool closed = false;
};

/// The first cycle that following the waiting packets comes upon, or the longest chain on the way if there is none. A
/// packet that may go several ways waits for several queues, and is in the list once for each.
[[nodiscard]] WaitingChain waiting_chain(const std::vector<models::Blocked>& blocked);

}  // namespace weft::tools
