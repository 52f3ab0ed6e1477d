// Rings of accelerators: data goes round in blocks, so much at a time as the chunks of all ranks hold. After NCCL's
// ring algorithms (github.com/NVIDIA/nccl, src/device/all_reduce.h, 2.19; bandwidth-optimal after Patarasuk and Yuan,
// JPDC 69(2), 2009).
#pragma once

#include "workloads/generator/accelerator/group.hpp"

namespace weft::workloads {

/// The pieces that data is cut into: turns of one chunk for each rank, all as equal as possible.
struct RingPieces {
  u64 bytes = 0;  ///< of all ranks together
  u32 ranks = 1;
  u64 chunk_bytes = 1;

  [[nodiscard]] u64 turns() const {
    const u64 in_turn = chunk_bytes * ranks;
    return bytes / in_turn + (bytes % in_turn != 0 ? 1 : 0);
  }
  [[nodiscard]] Extent block(u64 turn, u32 index) const {
    return even_share(even_share({0, bytes}, turns(), turn), ranks, index);
  }
};

/// Rank whose block a rank sends in a step: blocks are combined on their way through ranks - 1 steps, until each rank
/// has its own of all; those that are gathered are passed on through as many.
[[nodiscard]] inline u32 reduced_block(u32 rank, u32 step, u32 ranks) {
  return task_before(rank, step % ranks + 1, ranks);
}
[[nodiscard]] inline u32 gathered_block(u32 rank, u32 step, u32 ranks) { return task_before(rank, step, ranks); }

/// `bytes` are those of all blocks together. Each rank ends with its own block of the sum, all blocks, or the whole
/// sum.
[[nodiscard]] OpGenerator ring_reduce_scatter(RankPart part, u64 bytes);
[[nodiscard]] OpGenerator ring_all_gather(RankPart part, u64 bytes);
[[nodiscard]] OpGenerator ring_all_reduce(RankPart part, u64 bytes);
/// From rank 0 round the ring, chunk by chunk.
[[nodiscard]] OpGenerator ring_broadcast(RankPart part, u64 bytes);

}  // namespace weft::workloads
