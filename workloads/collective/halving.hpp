// Recursive halving of data among a power of two of tasks, as Rabenseifner's algorithms do it: the nearest task first.
#pragma once

#include "workloads/collective/folding.hpp"

namespace weft::workloads {

/// Data is cut into 2^levels blocks of bytes / 2^levels bytes, the last one longer by what is left. In step k, numbers
/// that differ in bit k exchange halves of what both have, so that the bits of a number say which blocks it has.
/// (Thakur, Rabenseifner, Gropp, IJHPCA 19(1), 2005; MPICH's "reduce-scatter-allgather".)
struct Halving {
  u64 bytes;
  u32 levels;

  /// What `number` has after `steps` <= levels steps.
  [[nodiscard]] Extent after(u32 number, u32 steps) const {
    u64 block = 0;
    for (u32 k = 0; k < steps; ++k) block += u64{(number >> k) & 1} << (levels - 1 - k);
    const u64 blocks = u64{1} << (levels - steps), length = bytes >> levels;
    const u64 first = block * length, end = (block + blocks) >> levels != 0 ? bytes : (block + blocks) * length;
    return {first, end - first};
  }
  /// Step k of the reduction: slot 0 sends the half that is the other's, slot 1 receives.
  [[nodiscard]] Op split(const Folding& among, u32 task, u32 k, u64 slot, u64 tag) const {
    const u32 number = among.number(task), other = number ^ (u32{1} << k);
    if (slot == 0) return send_unless_empty(among.task(other), after(other, k + 1).bytes, tag);
    return receive_unless_empty(among.task(other), after(number, k + 1).bytes, tag);
  }
};

}  // namespace weft::workloads
