// Reduce "binary": segments go up a tree in which every task has two children.
#include "workloads/generator/collective/segmented_tree.hpp"

namespace weft::workloads {
namespace {

const bool reduce_binary_registered = add_collective(
    {.operation = "reduce",
     .algorithm = "binary",
     .help = "up a binary tree in segments of workload.segment_bytes (Open MPI: binary); any number of tasks",
     .make = collective_program<UpSegmentedTree<BinaryTree>>,
     .carries = UpSegmentedTree<BinaryTree>::carries,
     .combines = UpSegmentedTree<BinaryTree>::combines,
     .divides = true,
     .segment_bytes = u64{1} << 15});

}  // namespace
}  // namespace weft::workloads
