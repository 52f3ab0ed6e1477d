// The operation reduce, with its algorithms.
#include "workloads/generator/collective/halving.hpp"
#include "workloads/generator/collective/segmented_tree.hpp"

namespace weft::workloads {
namespace {

const bool reduce_registered =
    OperationRegistry::instance().add("reduce", {.help = "task 0 gets the sum of what all have",
                                                 .before = Pieces::own,
                                                 .after = Pieces::root_has_all,
                                                 .adds_up = true,
                                                 .whole = true});

// "linear": every task sends to the root, which receives in order of the tasks.
const bool reduce_linear_registered =
    add_collective({.operation = "reduce",
                    .algorithm = "linear",
                    .help = "all tasks send to task 0 at once (Open MPI: basic linear); any number of tasks",
                    .make = collective_program<StarUp>});

/// "binomial": partial results meet along a binomial tree and end at task 0. Round k, p = 2^k: odd multiples of p send
/// to task - p and are done. MPICH's reduce "binomial", Open MPI's "in-order binomial"; the kernel binary-tree for any
/// number of tasks. Combining takes no time.
struct ReduceBinomial : CollectivePlan {
  u64 slots() const { return tree_rounds(tasks); }
  Op op(u32 task, u32, u64 slot) const { return up(in_order_edge(task, static_cast<u32>(slot), tasks), task, bytes); }
};

const bool reduce_binomial_registered = add_collective(
    {.operation = "reduce",
     .algorithm = "binomial",
     .help = "in round k, task r with bit k set and none below sends to r - 2^k (MPICH: binomial); any number of tasks",
     .make = collective_program<ReduceBinomial>,
     .is_default = true});

/// Registers reduce up a tree in segments.
template <class Tree>
bool add_up_tree(CollectiveKind kind) {
  kind.operation = "reduce";
  kind.make = collective_program<UpSegmentedTree<Tree>>;
  kind.carries = UpSegmentedTree<Tree>::carries;
  kind.combines = UpSegmentedTree<Tree>::combines;
  kind.divides = true;
  return add_collective(std::move(kind));
}

// "pipeline": sums go along the chain of all tasks, a segment after the other.
const bool reduce_pipeline_registered = add_up_tree<ChainTree>(
    {.algorithm = "pipeline",
     .help =
         "from r + 1 to r - 1 in segments of workload.segment_bytes (Open MPI: pipeline, chain); any number of tasks",
     .segment_bytes = u64{1} << 17});

// "binary": segments go up a tree in which every task has two children.
const bool reduce_binary_registered = add_up_tree<BinaryTree>(
    {.algorithm = "binary",
     .help = "up a binary tree in segments of workload.segment_bytes (Open MPI: binary); any number of tasks",
     .segment_bytes = u64{1} << 15});

// "in-order-binary": up a binary tree whose sums are of tasks in a row, for what does not commute.
const bool reduce_in_order_binary_registered = add_up_tree<InOrderBinaryTree>(
    {.algorithm = "in-order-binary",
     .help = "up a binary tree that keeps the order of tasks, in segments, then from its root, the last "
             "task, to task 0 (Open MPI: in-order binary); any number of tasks",
     .segment_bytes = u64{1} << 15});

/// By halving, as Open MPI and as MPICH do it: a reduce-scatter, then a gather to task 0. Pairs meet, and the even
/// tasks work; numbers exchange halves (tags 2 + k). Then backwards, the farthest first: who has bit k and none above
/// sends all that it has to the one without (tags 2 + levels + j).
template <bool as_mpich>
struct ReduceHalving : CollectivePlan {
  Halving halving() const { return {bytes, {tasks, false}, as_mpich}; }
  u64 slots() const { return Halving::meeting + u64{3} * halving().levels(); }
  Op op(u32 task, u32, u64 slot) const {
    const Halving by = halving();
    const u32 levels = by.levels();
    if (slot < Halving::meeting) return by.meet(task, slot);
    if (!by.among.works(task)) return {};
    const u64 place = slot - Halving::meeting;
    if (place < u64{2} * levels) return by.split(task, static_cast<u32>(place / 2), place % 2);
    const u32 j = static_cast<u32>(place) - 2 * levels, k = levels - 1 - j, tag = Halving::first_tag + levels + j;
    const u32 number = by.among.number(task), other = number ^ (u32{1} << k), peer = by.among.task(other);
    if (number >> k > 1) return {};
    if (number >> k == 1) return send_unless_empty(peer, by.after(number, k + 1).bytes, tag);
    return receive_unless_empty(peer, by.after(other, k + 1).bytes, tag);
  }
  static bool carries(const CollectiveKind::Message& m, const DataPiece& piece) {
    return collective_plan<ReduceHalving>(m.spec).halving().carries(m.from, m.op, piece.target);
  }
  static bool combines(const CollectiveSpec& spec, const Op& receive) {
    return collective_plan<ReduceHalving>(spec).halving().combines(receive);
  }
};

// "rabenseifner": a reduce-scatter by halving, then a gather to task 0; for long data. Thakur, Rabenseifner, Gropp
// 2005, section 4.4; Open MPI's "rabenseifner".
const bool reduce_rabenseifner_registered =
    add_collective({.operation = "reduce",
                    .algorithm = "rabenseifner",
                    .help = "step k: exchange halves of what is left with r xor 2^k; then a binomial gather of the "
                            "sums (Open MPI: rabenseifner); any number of tasks",
                    .make = collective_program<ReduceHalving<false>>,
                    .carries = ReduceHalving<false>::carries,
                    .combines = ReduceHalving<false>::combines,
                    .divides = true});

// "reduce-scatter-gather": MPICH's form of Rabenseifner's algorithm.
const bool reduce_reduce_scatter_gather_registered =
    add_collective({.operation = "reduce",
                    .algorithm = "reduce-scatter-gather",
                    .help = "as rabenseifner, in blocks of m / 2^b, and of a pair one task gives the other all (MPICH: "
                            "reduce-scatter-gather); any number of tasks",
                    .make = collective_program<ReduceHalving<true>>,
                    .carries = ReduceHalving<true>::carries,
                    .combines = ReduceHalving<true>::combines,
                    .divides = true});

}  // namespace
}  // namespace weft::workloads
