// The operation broadcast, with its algorithms.
#include "workloads/generator/collective/doubling_of_any.hpp"
#include "workloads/generator/collective/segmented_tree.hpp"

namespace weft::workloads {
namespace {

const bool broadcast_registered = OperationRegistry::instance().add(
    "broadcast", {.help = "what task 0 has goes to all",
                  .before = Pieces::root_has_its_own,
                  .after = [](const DataPiece& piece, u32, u32) { return piece.origin == 0; },
                  .whole = true});

// "linear": the root sends to one task after the other.
const bool broadcast_linear_registered =
    add_collective({.operation = "broadcast",
                    .algorithm = "linear",
                    .help = "task 0 sends to 1, 2, 3 ... (Open MPI: basic linear); any number of tasks",
                    .make = collective_program<StarDown>});

/// "binomial": the tasks that have the data double in each round, the nearest first. Round k: task r with r < 2^k sends
/// to r + 2^k. Open MPI's broadcast "binomial".
struct BroadcastBinomial : CollectivePlan {
  u64 slots() const { return tree_rounds(tasks); }
  Op op(u32 task, u32, u64 slot) const { return down(doubling_edge(task, static_cast<u32>(slot), tasks), task, bytes); }
};

const bool broadcast_binomial_registered = add_collective(
    {.operation = "broadcast",
     .algorithm = "binomial",
     .help = "task r sends to r + 2^k for 2^k > r, in order of k (Open MPI: binomial); any number of tasks",
     .make = collective_program<BroadcastBinomial>,
     .is_default = true});

/// "binomial-halving": along a binomial tree whose subtrees are tasks in a row, the farthest first. p = 2^k from the
/// largest down: multiples of 2p, which have the data by then, send to task + p. MPICH's broadcast "binomial"; the
/// kernel inverse-binary-tree for any number of tasks.
struct BroadcastBinomialHalving : CollectivePlan {
  u64 slots() const { return tree_rounds(tasks); }
  Op op(u32 task, u32, u64 slot) const {
    const u32 round = static_cast<u32>(slots() - 1 - slot);
    return down(in_order_edge(task, round, tasks), task, bytes);
  }
};

const bool broadcast_binomial_halving_registered = add_collective(
    {.operation = "broadcast",
     .algorithm = "binomial-halving",
     .help = "task r sends to r + 2^k for 2^k below its lowest bit, the largest first (MPICH: binomial); any number of "
             "tasks",
     .make = collective_program<BroadcastBinomialHalving>});

/// "k-nomial": the tasks that have the data become k times as many in each round. p = k^j from the largest down:
/// multiples of k p, which have the data by then, send to task + p, task + 2p ... task + (k - 1) p. With k = 2 it is
/// "binomial-halving". Open MPI's "knomial", whose own radix is 4; MPICH's "knomial" trees.
struct BroadcastKNomial : CollectivePlan {
  u64 slots() const { return u64{tree_rounds(tasks, radix)} * radix; }
  Op op(u32 task, u32, u64 slot) const {
    const u64 round = tree_rounds(tasks, radix) - 1 - slot / radix, digit = slot % radix;
    u64 p = 1;
    for (u64 j = 0; j < round; ++j) p *= radix;
    if (task % p != 0) return {};
    const u64 own = task / p % radix;
    // The first of the radix slots of a round is for the receive.
    if (digit == 0) return own > 0 ? receive_op(static_cast<u32>(task - own * p), bytes) : Op{};
    return own == 0 && digit * p < tasks - task ? send_op(static_cast<u32>(task + digit * p), bytes) : Op{};
  }
};

const bool broadcast_k_nomial_registered = add_collective(
    {.operation = "broadcast",
     .algorithm = "k-nomial",
     .help = "as binomial-halving with workload.radix - 1 messages of each sender in a round (Open MPI: knomial); any "
             "number of tasks",
     .make = collective_program<BroadcastKNomial>,
     .radix = 4});

// "pipeline": the data goes along the chain of all tasks, a segment after the other. Open MPI's "pipeline"; 128 KiB is
// the segment that its own rules ask for.
const bool broadcast_pipeline_registered = add_collective(
    {.operation = "broadcast",
     .algorithm = "pipeline",
     .help = "from r - 1 to r + 1 in segments of workload.segment_bytes (Open MPI: pipeline); any number of tasks",
     .make = collective_program<DownSegmentedTree<ChainTree>>,
     .carries = SegmentedTree::carries,
     .divides = true,
     .segment_bytes = u64{1} << 17});

// "binary": segments go down a tree in which every task has two children.
const bool broadcast_binary_registered = add_collective(
    {.operation = "broadcast",
     .algorithm = "binary",
     .help = "down a binary tree in segments of workload.segment_bytes (Open MPI: binary tree); any number of tasks",
     .make = collective_program<DownSegmentedTree<BinaryTree>>,
     .carries = SegmentedTree::carries,
     .divides = true,
     .segment_bytes = u64{1} << 15});

/// "split-binary": each half of the data goes down one half of a binary tree, then tasks of both exchange. Odd tasks
/// are in one half of the tree and get the first half of the data (one byte more if they are not equal), even ones the
/// second, in segments; tags number them. Then tasks 2k - 1 and 2k exchange what they have, and of an even number of
/// tasks the last one gets the second half from task 0; last tag. One byte goes along a chain. Open MPI's "split binary
/// tree".
struct BroadcastSplitBinary : SegmentedTree {
  Extent half(u32 odd) const {
    const u64 first = bytes - bytes / 2;
    return odd == 1 ? Extent{0, first} : Extent{first, bytes / 2};
  }
  u64 tree_segments() const { return divided_up(half(1).bytes, segment_bytes); }
  u64 slots() const { return bytes < 2 ? 2 : 3 * tree_segments() + 2; }
  Op op(u32 task, u32, u64 slot) const {
    if (bytes < 2) {
      const TreePlace place = ChainTree::place(task, tasks);
      if (slot == 0) return place.parent == TreePlace::none ? Op{} : receive_op(place.parent, bytes);
      return place.children[0] == TreePlace::none ? Op{} : send_op(place.children[0], bytes);
    }
    if (slot >= 3 * tree_segments()) return swap_halves(task, slot == 3 * tree_segments());
    const TreePlace place = BinaryTree::place(task, tasks);
    const u64 number = slot / 3;
    const u32 which = static_cast<u32>(slot % 3), peer = which == 0 ? place.parent : place.children[which - 1];
    if (peer == TreePlace::none) return {};
    const u64 length = part(task == 0 ? peer % 2 : task % 2, number).bytes;
    return which == 0 ? receive_unless_empty(peer, length, number) : send_unless_empty(peer, length, number);
  }
  Op swap_halves(u32 task, bool sends) const {
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
  static bool carries(const CollectiveKind::Message& m, const DataPiece& piece) {
    const auto plan = collective_plan<BroadcastSplitBinary>(m.spec);
    if (m.spec.message_bytes < 2) return true;
    if (m.op.tag == plan.tree_segments()) return plan.half(m.from % 2).has(piece.target);
    return plan.part(m.op.peer % 2, m.op.tag).has(piece.target);
  }
};

const bool broadcast_split_binary_registered =
    add_collective({.operation = "broadcast",
                    .algorithm = "split-binary",
                    .help = "one half of the data down each half of a binary tree, in segments, then pairs exchange "
                            "halves (Open MPI: split binary tree); any number of tasks",
                    .make = collective_program<BroadcastSplitBinary>,
                    .carries = BroadcastSplitBinary::carries,
                    .divides = true,
                    .segment_bytes = u64{1} << 15});

/// Pieces of a broadcast that is scattered first, whatever its allgather. The data is cut into pieces of ceil(bytes /
/// tasks) bytes, the last ones shorter or empty; empty ones are not sent. Scatter, tag 0: the in-order binomial tree
/// from its root, each child gets the pieces of its subtree.
struct ScatteredBroadcast : CollectivePlan {
  u64 piece() const { return divided_up(bytes, tasks); }
  /// Pieces from number `first` on.
  Extent pieces(u64 first, u64 count) const {
    const u64 from = std::min(bytes, first * piece());
    return {from, std::min(bytes, (first + count) * piece()) - from};
  }
  Op scatter(u32 task, u32 slot) const {
    const u32 round = tree_rounds(tasks) - 1 - slot;
    const TreeEdge edge = in_order_edge(task, round, tasks);
    if (!edge.exists) return {};
    const u64 length = pieces(edge.child, subtree_tasks(edge, round, tasks)).bytes;
    return length > 0 ? down(edge, task, length) : Op{};
  }
  /// Whether a message of the scatter brings a byte: the pieces of the receiver's subtree.
  bool scatter_carries(const Op& op, u64 byte) const { return Extent{op.peer * piece(), op.amount}.has(byte); }
};

/// "scatter-allgather": a piece to each task, then all pieces round the ring; for long messages. Allgather, tag 1: in
/// step s, task r sends piece r - s to r + 1. MPICH's "scatter ring allgather", after van de Geijn.
struct BroadcastScatterAllgather : ScatteredBroadcast {
  u64 slots() const { return tree_rounds(tasks) + u64{2} * (tasks - 1); }
  Op op(u32 task, u32, u64 slot) const {
    const u32 levels = tree_rounds(tasks);
    if (slot < levels) return scatter(task, static_cast<u32>(slot));
    const auto step = static_cast<u32>((slot - levels) / 2);
    const bool sends = (slot - levels) % 2 == 0;
    const u64 length = pieces(task_before(task, sends ? step : step + 1, tasks), 1).bytes;
    if (length == 0) return {};
    return sends ? send_op(task_after(task, 1, tasks), length, 1) : receive_op(task_before(task, 1, tasks), length, 1);
  }
  /// The step of the ring in which a task sends for the nth time, from 0.
  u32 step_of(u32 task, u32 nth) const {
    u32 step = 0;
    while (pieces(task_before(task, step, tasks), 1).bytes == 0 || nth-- > 0) ++step;
    return step;
  }
  /// Allgather: all that the sender got before it sent as many, in turn.
  static bool carries(const CollectiveKind::Message& m, const DataPiece& piece) {
    const auto plan = collective_plan<BroadcastScatterAllgather>(m.spec);
    if (m.op.tag == 0) return plan.scatter_carries(m.op, piece.target);
    const u64 number = piece.target / plan.piece();
    return number == task_before(m.from, plan.step_of(m.from, m.nth), m.spec.tasks);
  }
};

const bool broadcast_scatter_allgather_registered = add_collective(
    {.operation = "broadcast",
     .algorithm = "scatter-allgather",
     .help = "pieces down a binomial tree, then round a ring (MPICH: scatter ring allgather); any number of tasks",
     .make = collective_program<BroadcastScatterAllgather>,
     .carries = BroadcastScatterAllgather::carries,
     .divides = true});

/// "scatter-doubling": a piece to each task, then all pieces by recursive doubling; for data of middle length.
/// Allgather, tag 1 + k: recursive doubling (doubling_of_any.hpp) of pieces. MPICH's "scatter recursive doubling
/// allgather", Open MPI's "scatter allgather".
struct BroadcastScatterDoubling : ScatteredBroadcast {
  u64 slots() const { return tree_rounds(tasks) + DoublingOfAny{tasks}.places(); }
  Op op(u32 task, u32, u64 slot) const {
    const u32 levels = tree_rounds(tasks);
    if (slot < levels) return scatter(task, static_cast<u32>(slot));
    return DoublingOfAny{tasks}.op(task, slot - levels, 1,
                                   [this](u32 first, u32 k) { return pieces(first, u32{1} << k).bytes; });
  }
  static bool carries(const CollectiveKind::Message& m, const DataPiece& piece) {
    const auto plan = collective_plan<BroadcastScatterDoubling>(m.spec);
    if (m.op.tag == 0) return plan.scatter_carries(m.op, piece.target);
    const u32 k = m.op.tag - 1;
    return plan.pieces(DoublingOfAny::block_of_message(m.from, m.op.peer, k), u32{1} << k).has(piece.target);
  }
};

const bool broadcast_scatter_doubling_registered = add_collective(
    {.operation = "broadcast",
     .algorithm = "scatter-doubling",
     .help = "pieces down a binomial tree, then all of them by recursive doubling (MPICH: scatter recursive doubling "
             "allgather, Open MPI: scatter allgather); any number of tasks",
     .make = collective_program<BroadcastScatterDoubling>,
     .carries = BroadcastScatterDoubling::carries,
     .divides = true});

}  // namespace
}  // namespace weft::workloads
