// By a switch that combines, or copies: allreduce and broadcast.
#include "workloads/generator/accelerator/in_network.hpp"
#include "workloads/generator/accelerator/nccl.hpp"

namespace weft::workloads {
namespace {

SwitchGroup all_combine(const NcclSpec& spec) {
  const u64 bytes = channel_share(spec, 0).bytes;  // of the longest
  const u64 longest = std::min(bytes, spec.transport.chunk_bytes);
  const u64 chunks = std::max<u64>(1, (bytes + spec.transport.chunk_bytes - 1) / spec.transport.chunk_bytes);
  return {.size = spec.tasks,
          .channels = spec.channels,
          .in_flight = spec.reductions_in_flight == 0 ? chunks : std::min<u64>(chunks, spec.reductions_in_flight),
          .chunk_bytes = spec.transport.on_wire(longest)};
}
SwitchGroup first_to_all(const NcclSpec& spec) {
  SwitchGroup group = all_combine(spec);
  group.combines = false;
  return group;
}

OpGenerator nothing() { co_return; }

/// Lane 2c is what goes to the switch of channel c, 2c + 1 what comes.
template <bool all_give>
OpGenerator open_in_network(const NcclSpec& spec, u32 task, u32 lane) {
  RankPart part;
  part.group = {0, 1, spec.tasks};
  part.rank = task;
  part.transport = spec.transport;
  const u32 channel = lane / 2;
  SwitchChannel of;
  of.channel = channel;
  of.channels = spec.channels;
  of.bytes = channel_share(spec, channel).bytes;
  of.chunk_bytes = spec.transport.chunk_bytes;
  of.in_flight = spec.reductions_in_flight;
  of.repetition = spec.repetition;
  if (spec.tasks < 2) return nothing();
  if (lane % 2 == 1) return get_chunks(part, of, channel);
  return all_give || task == 0 ? give_chunks(part, of, channel) : nothing();
}

const bool in_network_registered =
    add_nccl({.operation = "allreduce",
              .algorithm = "in-network",
              .help = "switches combine the chunks of all tasks and send the sum to all (SHARP, NVLS)",
              .bus_factor = [](u32 tasks) { return 2.0 * (tasks - 1) / tasks; },
              .lanes_of_channel = 2,
              .by_nodes = false,
              .open = open_in_network<true>,
              .switch_group = all_combine}) &&
    add_nccl({.operation = "broadcast",
              .algorithm = "in-network",
              .help = "switches copy the chunks of task 0 to all tasks",
              .bus_factor = [](u32 /*tasks*/) { return 1.0; },
              .lanes_of_channel = 2,
              .by_nodes = false,
              .open = open_in_network<false>,
              .switch_group = first_to_all});

}  // namespace
}  // namespace weft::workloads
