// Reduce "in-order-binary": up a binary tree whose sums are of tasks in a row, for what does not commute.
#include "workloads/generator/collective/segmented_tree.hpp"

namespace weft::workloads {
namespace {

const bool reduce_in_order_binary_registered =
    add_collective({.operation = "reduce",
                    .algorithm = "in-order-binary",
                    .help = "up a binary tree that keeps the order of tasks, in segments, then from its root, the last "
                            "task, to task 0 (Open MPI: in-order binary); any number of tasks",
                    .make = collective_program<UpSegmentedTree<InOrderBinaryTree>>,
                    .carries = UpSegmentedTree<InOrderBinaryTree>::carries,
                    .combines = UpSegmentedTree<InOrderBinaryTree>::combines,
                    .divides = true,
                    .segment_bytes = u64{1} << 15});

}  // namespace
}  // namespace weft::workloads
