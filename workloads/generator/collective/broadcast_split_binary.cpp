// Broadcast "split-binary": each half of the data goes down one half of a binary tree, then tasks of both exchange.
#include "workloads/generator/collective/segmented_tree.hpp"

namespace weft::workloads {
namespace {

/// Odd tasks are in one half of the tree and get the first half of the data (one byte more if they are not equal), even
/// ones the second, in segments; tags number them. Then tasks 2k - 1 and 2k exchange what they have, and of an even
/// number of tasks the last one gets the second half from task 0; last tag. One byte goes along a chain. Open MPI's
/// "split binary tree".
struct BroadcastSplitBinary : SegmentedTree {
  Extent half(u32 odd) const {
    const u64 first = bytes - bytes / 2;
    return odd == 1 ? Extent{0, first} : Extent{first, bytes / 2};
  }
  static u64 pieces(const Extent& of, u64 segment) { return of.bytes / segment + (of.bytes % segment != 0 ? 1 : 0); }
  u64 tree_segments() const { return pieces(half(1), segment_bytes); }
  u64 slots() const { return bytes < 2 ? 2 : 3 * tree_segments() + 2; }
  Op op(u32 task, u32, u64 slot) const {
    if (bytes < 2) {
      const TreePlace place = ChainTree::place(task, tasks);
      if (slot == 0) return place.parent == TreePlace::none ? Op{} : receive_op(place.parent, bytes);
      return place.children[0] == TreePlace::none ? Op{} : send_op(place.children[0], bytes);
    }
    if (slot >= 3 * tree_segments()) return exchange(task, slot == 3 * tree_segments());
    const TreePlace place = BinaryTree::place(task, tasks);
    const u64 number = slot / 3;
    const u32 which = static_cast<u32>(slot % 3), peer = which == 0 ? place.parent : place.children[which - 1];
    if (peer == TreePlace::none) return {};
    const u64 length = part(task == 0 ? peer % 2 : task % 2, number).bytes;
    return which == 0 ? receive_unless_empty(peer, length, number) : send_unless_empty(peer, length, number);
  }
  Op exchange(u32 task, bool sends) const {
    const u64 tag = tree_segments();
    if (tasks % 2 == 0 && (task == 0 || task == tasks - 1)) {
      if (task == 0) return sends ? send_unless_empty(tasks - 1, half(0).bytes, tag) : Op{};
      return sends ? Op{} : receive_unless_empty(0, half(0).bytes, tag);
    }
    if (task == 0) return {};
    const u32 peer = task % 2 == 1 ? task + 1 : task - 1;
    return sends ? send_op(peer, half(task % 2).bytes, static_cast<u32>(tag))
                 : receive_op(peer, half(peer % 2).bytes, static_cast<u32>(tag));
  }
  /// A segment of a half, empty where it has none of that number.
  Extent part(u32 odd, u64 number) const {
    const Extent all = half(odd);
    const u64 from = std::min(all.bytes, number * segment_bytes);
    return {all.first + from, std::min(segment_bytes, all.bytes - from)};
  }
};

bool split_binary_carries(const CollectiveKind::Message& m, const DataPiece& piece) {
  const auto plan = collective_plan<BroadcastSplitBinary>(m.spec);
  if (m.spec.message_bytes < 2) return true;
  if (m.op.tag == plan.tree_segments()) return plan.half(m.from % 2).has(piece.target);
  return plan.part(m.op.peer % 2, m.op.tag).has(piece.target);
}

const bool broadcast_split_binary_registered =
    add_collective({.operation = "broadcast",
                    .algorithm = "split-binary",
                    .help = "one half of the data down each half of a binary tree, in segments, then pairs exchange "
                            "halves (Open MPI: split binary tree); any number of tasks",
                    .make = collective_program<BroadcastSplitBinary>,
                    .carries = split_binary_carries,
                    .divides = true,
                    .segment_bytes = u64{1} << 15});

}  // namespace
}  // namespace weft::workloads
