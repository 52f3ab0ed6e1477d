// Allreduce by double binary trees.
#include "workloads/generator/accelerator/nccl.hpp"
#include "workloads/generator/accelerator/tree.hpp"

namespace weft::workloads {
namespace {

/// Lane 2c is the way up of channel c, 2c + 1 the way down. Channels enter nodes at one place after the other, so that
/// as many NICs as there are work; places take the two trees in turn, and once more round the other one each.
OpGenerator open_tree(const NcclSpec& spec, u32 task, u32 lane) {
  const u32 channel = lane / 2;
  RankPart part;
  part.group = {0, 1, spec.tasks};
  part.rank = task;
  part.transport = spec.transport;
  part.tag = channel;
  const u32 head = channel % spec.node_tasks, round = channel / spec.node_tasks;
  const RankLinks place = double_tree_place(task, spec.tasks, spec.node_tasks, (head + round) % 2, head);
  const u64 bytes = channel_share(spec, channel).bytes;
  return lane % 2 == 0 ? tree_up(part, place, bytes, channel) : tree_down(part, place, bytes, channel, spec.repetition);
}

const bool tree_registered = add_nccl({.operation = "allreduce",
                                       .algorithm = "tree",
                                       .help = "double binary trees over the nodes, chains inside them; channels take "
                                               "the two trees in turn, so use an even number of them",
                                       .bus_factor = [](u32 tasks) { return 2.0 * (tasks - 1) / tasks; },
                                       .lanes_of_channel = 2,
                                       .open = open_tree});

}  // namespace
}  // namespace weft::workloads
