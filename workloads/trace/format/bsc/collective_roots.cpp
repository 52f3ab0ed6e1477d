// Sizes and roots of collective operations; see the header.
#include "workloads/trace/format/bsc/collective_roots.hpp"

#include <algorithm>

namespace weft::workloads {

void CollectiveRoots::add(u32 task, u32 communicator, bool is_root) {
  const u64 call = calls_[u64{task} << 32 | communicator]++;
  if (!is_root) return;
  std::vector<u32>& roots = roots_[communicator];
  if (roots.size() <= call) roots.resize(call + 1, unknown);
  roots[call] = task;
}

u32 CollectiveRoots::root(u32 communicator, u64 call) const {
  const auto found = roots_.find(communicator);
  return found == roots_.end() || call >= found->second.size() ? unknown : found->second[call];
}

void set_call_sizes(TraceEvent& event, u64 sent, u64 received) {
  switch (event.operation) {
    case Collective::barrier:
      return;
    case Collective::broadcast:
    case Collective::reduce:
    case Collective::allreduce:
    case Collective::scan:
      event.bytes = std::max(sent, received);
      return;
    case Collective::scatter:
    case Collective::reduce_scatter:
    case Collective::reduce_scatter_block:
      event.bytes = received;
      return;
    default:
      event.bytes = sent;
      if (event.operation != Collective::gather && event.operation != Collective::allgather &&
          event.operation != Collective::all_to_all)
        event.bytes_received = received;
  }
}

}  // namespace weft::workloads
