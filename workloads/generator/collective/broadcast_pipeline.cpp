// Broadcast "pipeline": the data goes along the chain of all tasks, a segment after the other.
#include "workloads/generator/collective/collective_plan.hpp"

namespace weft::workloads {
namespace {

/// Task r receives segment s from r - 1 and sends it to r + 1; tag s. Segments have segment_bytes, the last one what is
/// left. Open MPI's "pipeline"; 128 KiB is the segment that its own rules ask for.
struct BroadcastPipeline : CollectivePlan {
  u64 segments() const { return bytes / segment_bytes + (bytes % segment_bytes != 0 ? 1 : 0); }
  u64 slots() const { return 2 * segments(); }
  Op op(u32 task, u32, u64 slot) const {
    const u64 segment = slot / 2, length = std::min(segment_bytes, bytes - segment * segment_bytes);
    if (slot % 2 == 0) return task > 0 ? receive_op(task - 1, length, static_cast<u32>(segment)) : Op{};
    return task + 1 < tasks ? send_op(task + 1, length, static_cast<u32>(segment)) : Op{};
  }
};

bool pipeline_carries(const CollectiveKind::Message& m, const DataPiece& piece) {
  return piece.target / m.spec.segment_bytes == m.op.tag;
}

const bool broadcast_pipeline_registered = add_collective(
    {.operation = "broadcast",
     .algorithm = "pipeline",
     .help = "from r - 1 to r + 1 in segments of workload.segment_bytes (Open MPI: pipeline); any number of tasks",
     .make = collective_program<BroadcastPipeline>,
     .carries = pipeline_carries,
     .divides = true,
     .segment_bytes = u64{1} << 17});

}  // namespace
}  // namespace weft::workloads
