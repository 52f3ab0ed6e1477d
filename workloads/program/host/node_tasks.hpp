// What hosts of tasks have in common: which tasks stand on which node of a process, and whose turn it is at a NIC.
#pragma once

#include <bit>
#include <vector>

#include "models/core/layout.hpp"
#include "workloads/program/placement/placement.hpp"

namespace weft::workloads {

/// Gives every node of this process that has tasks a `Node` (its `first` place among all tasks, those of a node in a
/// row, and their `count`), [entity] its number or Layout::none; calls resize(number of tasks), then
/// add(task, place, node) for each task that is here. `layout`: models::Layout, or what answers like it.
template <class Layout, class Nodes, class Resize, class Add>
void place_tasks(const Layout& layout, const Placement& placement, const std::vector<u8>& slot_of_task,
                 std::vector<u32>& node_of_entity, Nodes& nodes, Resize&& resize, Add&& add) {
  constexpr u32 none = models::Layout::none;
  node_of_entity.assign(layout.entities(), none);
  const auto each_local = [&](auto&& f) {
    for (u32 task = 0; task < placement.node_of_task.size(); ++task) {
      const u32 entity = layout.entity_of(placement.node_of_task[task]);
      if (entity != none) f(task, entity);
    }
  };
  each_local([&](u32 /*task*/, u32 entity) {
    u32& node = node_of_entity[entity];
    if (node == none) {
      node = static_cast<u32>(nodes.size());
      nodes.emplace_back();
    }
    ++nodes[node].count;
  });
  u32 first = 0;
  for (auto& node : nodes) {
    node.first = first;
    first += node.count;
  }
  resize(first);
  each_local([&](u32 task, u32 entity) {
    const u32 node = node_of_entity[entity];
    add(task, nodes[node].first + slot_of_task[task], node);
  });
}

/// The NIC of a node takes a packet of the first task, from the one whose turn it is, whose packet finds free space:
/// send(slot) says whether it does. `wanting`, `refused`: masks of tasks that have a packet, and of those that found no
/// space.
template <class Node, class Send>
void take_turns(Node& node, Send&& send) {
  const u64 asked = node.wanting & ~node.refused;
  const u64 from_turn = asked & ~u64{0} << node.turn;
  for (u64 left : {from_turn, asked & ~from_turn}) {
    for (; left != 0; left &= left - 1) {
      const u32 slot = static_cast<u32>(std::countr_zero(left));
      if (send(slot)) {
        node.turn = slot + 1 < node.count ? slot + 1 : 0;
        return;
      }
      node.refused |= u64{1} << slot;
    }
  }
}

}  // namespace weft::workloads
