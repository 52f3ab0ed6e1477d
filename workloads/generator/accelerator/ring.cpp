// The steps of rings.
#include "workloads/generator/accelerator/ring.hpp"

namespace weft::workloads {
namespace {

/// A step: a block to the next rank, then the one that comes from the rank before.
OpGenerator ring_step(RankPart part, u64 sent, u64 received) {
  if (sent > 0) {
    if (part.transport.hop_ns > 0) co_yield part.hop();
    co_yield part.send(part.rank_after(1), sent);
  }
  if (received > 0) co_yield part.receive(part.rank_before(1), received);
}

/// Steps of all turns. Blocks are numbered by the places of the tasks whose they are.
OpGenerator ring_steps(RankPart part, u64 bytes, bool reduces, bool gathers) {
  const u32 ranks = part.group.size, before = part.rank_before(1);
  if (ranks < 2) co_return;
  const RingPieces pieces{bytes, ranks, part.transport.chunk_bytes};
  const u64 turns = pieces.turns();
  const auto block = [&](u64 turn, u32 of_rank) { return pieces.block(turn, part.group.place(of_rank)).bytes; };
  for (u64 turn = 0; turn < turns; ++turn) {
    for (u32 step = 0; reduces && step < ranks - 1; ++step) {
      co_yield ring_step(part, block(turn, reduced_block(part.rank, step, ranks)),
                         block(turn, reduced_block(before, step, ranks)));
    }
    for (u32 step = 0; gathers && step < ranks - 1; ++step) {
      co_yield ring_step(part, block(turn, gathered_block(part.rank, step, ranks)),
                         block(turn, gathered_block(before, step, ranks)));
    }
  }
}

}  // namespace

OpGenerator ring_reduce_scatter(RankPart part, u64 bytes) { return ring_steps(part, bytes, true, false); }

OpGenerator ring_all_gather(RankPart part, u64 bytes) { return ring_steps(part, bytes, false, true); }

OpGenerator ring_all_reduce(RankPart part, u64 bytes) { return ring_steps(part, bytes, true, true); }

OpGenerator ring_broadcast(RankPart part, u64 bytes) {
  const u64 chunk = part.transport.chunk_bytes;
  if (part.group.size < 2) co_return;
  for (u64 sent = 0; sent < bytes; sent += chunk) {
    const u64 piece = std::min(chunk, bytes - sent);
    if (part.rank > 0) co_yield part.receive(part.rank - 1, piece);
    if (part.rank + 1 == part.group.size) continue;
    if (part.transport.hop_ns > 0) co_yield part.hop();
    co_yield part.send(part.rank + 1, piece);
  }
}

}  // namespace weft::workloads
