// Who takes part in a collective operation of accelerators, and how its messages go.
#pragma once

#include "engine/base/types.hpp"
#include "workloads/generator/collective/collective_plan.hpp"
#include "workloads/program/op_generator.hpp"

namespace weft::workloads {

/// Tasks at equal distances, in the order in which the ranks of an operation number them: in a row, or node by node
/// from place `head` of each on, odd nodes the other way round. So a ring enters and leaves each node by the same
/// places where the number of nodes is even.
struct RankGroup {
  u32 first = 0, stride = 1, size = 1;
  u32 node_ranks = 1, head = 0;
  /// Place of a rank among the tasks.
  [[nodiscard]] u32 place(u32 rank) const {
    if (node_ranks == 1) return rank;
    const u32 node = rank / node_ranks, steps = rank % node_ranks;
    const u32 in_node = node % 2 == 0 ? task_after(head, steps, node_ranks) : task_before(head, steps + 1, node_ranks);
    return node * node_ranks + in_node;
  }
  [[nodiscard]] u32 rank_at(u32 place) const {
    if (node_ranks == 1) return place;
    const u32 node = place / node_ranks, in_node = place % node_ranks;
    const u32 steps = node % 2 == 0 ? task_before(in_node, head, node_ranks)
                                    : task_before(task_before(head, 1, node_ranks), in_node, node_ranks);
    return node * node_ranks + steps;
  }
  [[nodiscard]] u32 task(u32 rank) const { return first + stride * place(rank); }
};

/// How a library moves data.
struct Transport {
  u64 chunk_bytes = u64{512} << 10;   ///< most data of a message of a ring or a tree
  u32 wire_bytes = 1, wire_data = 1;  ///< so many bytes on the wire for so many of data (flags beside the data)
  u64 hop_ns = 0;                     ///< before each message: synchronisation
  [[nodiscard]] u64 on_wire(u64 bytes) const { return (bytes * wire_bytes + wire_data - 1) / wire_data; }
};

/// What one rank does, in one lane.
struct RankPart {
  RankGroup group;
  u32 rank = 0;
  Transport transport;
  u32 tag = 0;
  u8 activity = 0;

  [[nodiscard]] u32 rank_after(u32 distance) const { return task_after(rank, distance, group.size); }
  [[nodiscard]] u32 rank_before(u32 distance) const { return task_before(rank, distance, group.size); }
  [[nodiscard]] Op hop() const { return {OpKind::compute, 0, 0, transport.hop_ns, activity}; }
  [[nodiscard]] Op send(u32 to_rank, u64 bytes) const {
    return {OpKind::send, group.task(to_rank), tag, transport.on_wire(bytes), activity};
  }
  [[nodiscard]] Op receive(u32 from_rank, u64 bytes) const {
    return {OpKind::receive, group.task(from_rank), tag, transport.on_wire(bytes), activity};
  }
};

[[nodiscard]] inline Op mark_op(u32 counter, u8 activity = 0) { return {OpKind::mark, counter, 0, 0, activity}; }
/// Until so many marks of the counter.
[[nodiscard]] inline Op wait_op(u32 counter, u64 marks, u8 activity = 0) {
  return {OpKind::wait, counter, 0, marks, activity};
}

}  // namespace weft::workloads
