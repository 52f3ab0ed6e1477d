// All-to-all by sends and receives, with PXN at will.
#include "workloads/generator/accelerator/all_to_all.hpp"
#include "workloads/generator/accelerator/nccl.hpp"

namespace weft::workloads {
namespace {

OpGenerator open_all_to_all(const NcclSpec& spec, u32 task, u32 lane) {
  RankPart part;
  part.group = {0, 1, spec.tasks};
  part.rank = task;
  part.transport = spec.transport;
  part.tag = lane;
  const u64 each = spec.message_bytes / spec.tasks;
  if (!spec.pxn) return all_to_all(part, each, lane, spec.channels);
  if (lane == spec.channels) return relay_all_to_all(part, each, spec.node_tasks, spec.channels);
  return relayed_all_to_all(part, each, spec.node_tasks, lane, spec.channels);
}

const bool all_to_all_registered =
    add_nccl({.operation = "all-to-all",
              .algorithm = "pairwise",
              .help = "sends to all others in turn from the next one on, then receives; with PXN by the task of the "
                      "receiver's place in the own node, which sends once to each node",
              .bus_factor = [](u32 tasks) { return 1.0 * (tasks - 1) / tasks; },
              .relays = true,
              .chunks = false,
              .by_nodes = false,
              .open = open_all_to_all});

}  // namespace
}  // namespace weft::workloads
