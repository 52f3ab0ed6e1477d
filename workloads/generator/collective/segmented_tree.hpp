// Trees along which data goes in segments, one after the other: broadcasts down and reductions up.
#pragma once

#include "workloads/generator/collective/collective_plan.hpp"

namespace weft::workloads {

/// A task of a tree: no parent if it is the root; children in the order in which it serves them.
struct TreePlace {
  static constexpr u32 none = ~u32{0};
  u32 parent = none;
  u32 children[2] = {none, none};
};

/// All tasks in a row. (Open MPI: pipeline, and chain with one chain.)
struct ChainTree {
  static constexpr u32 root(u32 /*tasks*/) { return 0; }
  static TreePlace place(u32 task, u32 tasks) {
    TreePlace place;
    if (task > 0) place.parent = task - 1;
    if (task + 1 < tasks) place.children[0] = task + 1;
    return place;
  }
};

/// Level L has tasks 2^L - 1 to 2^(L + 1) - 2; the children of a task are 2^L and 2^(L + 1) behind it, so that odd
/// tasks are in one half and even ones in the other. (Open MPI: binary tree.)
struct BinaryTree {
  static constexpr u32 root(u32 /*tasks*/) { return 0; }
  static u32 width(u32 task) { return std::bit_floor(task + 1); }
  static TreePlace place(u32 task, u32 tasks) {
    TreePlace place;
    const u32 step = width(task);
    if (task > 0) {
      place.parent = task - step / 2;
      if (width(place.parent) == step) place.parent -= step / 2;
    }
    for (u32 child = 0; child < 2; ++child) {
      const u64 next = u64{task} + u64{step} * (child + 1);
      if (next < tasks) place.children[child] = static_cast<u32>(next);
    }
    return place;
  }
};

/// The subtree of a number of tasks in a row has its last task as root; of the others, the first half (of all, rounded
/// down) is one subtree, the rest the other, which is served first. So sums are of tasks in their order. (Open MPI:
/// in-order binary tree.)
struct InOrderBinaryTree {
  static u32 root(u32 tasks) { return tasks - 1; }
  static TreePlace place(u32 task, u32 tasks) {
    TreePlace place;
    u32 first = 0, size = tasks;
    while (task != first + size - 1) {
      place.parent = first + size - 1;
      const u32 low = size / 2;
      if (task < first + low) {
        size = low;
      } else {
        first += low;
        size -= low + 1;
      }
    }
    if (size > 1) {
      const u32 low = size / 2;
      u32 child = 0;
      if (size > low + 1) place.children[child++] = first + size - 2;
      place.children[child] = first + low - 1;
    }
    return place;
  }
};

/// What both directions share; tags number the segments.
struct SegmentedTree : CollectivePlan {
  u64 segments() const { return divided_up(bytes, segment_bytes); }
  u64 segment(u64 number) const { return std::min(segment_bytes, bytes - number * segment_bytes); }
  static bool carries(const CollectiveKind::Message& m, const DataPiece& piece) {
    return piece.target / m.spec.segment_bytes == m.op.tag;
  }
};

/// Each segment: receive from the parent, send to the children.
template <class Tree>
struct DownSegmentedTree : SegmentedTree {
  u64 slots() const { return 3 * segments(); }
  Op op(u32 task, u32, u64 slot) const {
    const TreePlace place = Tree::place(task, tasks);
    const u64 number = slot / 3;
    const u32 peer = slot % 3 == 0 ? place.parent : place.children[slot % 3 - 1];
    if (peer == TreePlace::none) return {};
    const auto tag = static_cast<u32>(number);
    return slot % 3 == 0 ? receive_op(peer, segment(number), tag) : send_op(peer, segment(number), tag);
  }
};

/// Each segment: receive from the children, send to the parent. A root that is not task 0 then sends all to it, in one
/// message with a tag of its own.
template <class Tree>
struct UpSegmentedTree : SegmentedTree {
  u64 slots() const { return 3 * segments() + 1; }
  Op op(u32 task, u32, u64 slot) const {
    const u64 number = slot / 3;
    if (number == segments()) {
      const u32 root = Tree::root(tasks), tag = static_cast<u32>(segments());
      if (root == 0) return {};
      return task == root ? send_op(0, bytes, tag) : task == 0 ? receive_op(root, bytes, tag) : Op{};
    }
    const TreePlace place = Tree::place(task, tasks);
    const u32 peer = slot % 3 == 2 ? place.parent : place.children[slot % 3];
    if (peer == TreePlace::none) return {};
    const auto tag = static_cast<u32>(number);
    return slot % 3 == 2 ? send_op(peer, segment(number), tag) : receive_op(peer, segment(number), tag);
  }
  static bool carries(const CollectiveKind::Message& m, const DataPiece& piece) {
    return !combines(m.spec, m.op) || SegmentedTree::carries(m, piece);
  }
  static bool combines(const CollectiveSpec& spec, const Op& receive) {
    return receive.tag < collective_plan<SegmentedTree>(spec).segments();
  }
};

}  // namespace weft::workloads
