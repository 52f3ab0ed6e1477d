// Reduce "pipeline": sums go along the chain of all tasks, a segment after the other.
#include "workloads/generator/collective/segmented_tree.hpp"

namespace weft::workloads {
namespace {

const bool reduce_pipeline_registered = add_collective(
    {.operation = "reduce",
     .algorithm = "pipeline",
     .help =
         "from r + 1 to r - 1 in segments of workload.segment_bytes (Open MPI: pipeline, chain); any number of tasks",
     .make = collective_program<UpSegmentedTree<ChainTree>>,
     .carries = UpSegmentedTree<ChainTree>::carries,
     .combines = UpSegmentedTree<ChainTree>::combines,
     .divides = true,
     .segment_bytes = u64{1} << 17});

}  // namespace
}  // namespace weft::workloads
