// Rings of all tasks: allreduce, allgather, reduce-scatter and broadcast.
#include "workloads/generator/accelerator/nccl.hpp"
#include "workloads/generator/accelerator/ring.hpp"

namespace weft::workloads {
namespace {

/// Channel c enters each node at place c, modulo the tasks of a node.
RankPart ring_part(const NcclSpec& spec, u32 task, u32 channel) {
  RankPart part;
  part.group = {0, 1, spec.tasks, spec.node_tasks, channel % spec.node_tasks};
  part.rank = part.group.rank_at(task);
  part.transport = spec.transport;
  part.tag = channel;
  return part;
}

using Ring = OpGenerator (*)(RankPart, u64);
template <Ring ring>
OpGenerator open_ring(const NcclSpec& spec, u32 task, u32 lane) {
  return ring(ring_part(spec, task, lane), channel_share(spec, lane).bytes);
}
/// Root is task 0, whatever the channel: the ring goes by task numbers.
OpGenerator open_broadcast(const NcclSpec& spec, u32 task, u32 lane) {
  RankPart part = ring_part(spec, task, lane);
  part.group = {0, 1, spec.tasks};
  part.rank = task;
  return ring_broadcast(part, channel_share(spec, lane).bytes);
}

double twice_around(u32 tasks) { return 2.0 * (tasks - 1) / tasks; }
double around(u32 tasks) { return 1.0 * (tasks - 1) / tasks; }
double straight(u32 /*tasks*/) { return 1; }

const bool rings_registered =
    add_nccl({.operation = "allreduce",
              .algorithm = "ring",
              .help = "blocks go round once to be combined, and once more as results; a chunk for each task at a time",
              .bus_factor = twice_around,
              .open = open_ring<ring_all_reduce>}) &&
    add_nccl({.operation = "allgather",
              .algorithm = "ring",
              .help = "the block of each task goes round",
              .bus_factor = around,
              .open = open_ring<ring_all_gather>}) &&
    add_nccl({.operation = "reduce-scatter",
              .algorithm = "ring",
              .help = "blocks go round and are combined until each task has its own",
              .bus_factor = around,
              .open = open_ring<ring_reduce_scatter>}) &&
    add_nccl({.operation = "broadcast",
              .algorithm = "ring",
              .help = "chunks go from task 0 from one to the next",
              .bus_factor = straight,
              .by_nodes = false,
              .open = open_broadcast});

}  // namespace
}  // namespace weft::workloads
