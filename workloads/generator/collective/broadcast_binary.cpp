// Broadcast "binary": segments go down a tree in which every task has two children.
#include "workloads/generator/collective/segmented_tree.hpp"

namespace weft::workloads {
namespace {

const bool broadcast_binary_registered = add_collective(
    {.operation = "broadcast",
     .algorithm = "binary",
     .help = "down a binary tree in segments of workload.segment_bytes (Open MPI: binary tree); any number of tasks",
     .make = collective_program<DownSegmentedTree<BinaryTree>>,
     .carries = SegmentedTree::carries,
     .divides = true,
     .segment_bytes = u64{1} << 15});

}  // namespace
}  // namespace weft::workloads
