// Recursive halving of data among a power of two of tasks, the nearest task first, and how pairs of the others meet:
// what Rabenseifner's algorithms for reductions share.
#pragma once

#include "workloads/generator/collective/folding.hpp"

namespace weft::workloads {

/// In step k, numbers that differ in bit k exchange halves of what both have, so that the bits of a number say which
/// part it has. Thakur, Rabenseifner, Gropp, IJHPCA 19(1), 2005, sections 4.4 and 4.5, and Open MPI: what both have is
/// halved, rounded down below; pairs exchange halves as well, add them up, and the odd task gives its half back. MPICH:
/// halves are of 2^levels blocks (even_share); one task of a pair gives all to the other.
struct Halving {
  u64 bytes;
  Folding among;
  bool as_mpich;

  [[nodiscard]] u32 levels() const { return among.levels(); }
  /// What `number` has after `steps` <= levels steps.
  [[nodiscard]] Extent after(u32 number, u32 steps) const {
    Extent part{0, as_mpich ? among.core() : bytes};  // blocks, or bytes
    for (u32 k = 0; k < steps; ++k) {
      const u64 below = part.bytes / 2;
      if (((number >> k) & 1) == 0) {
        part.bytes = below;
      } else {
        part.first += below;
        part.bytes -= below;
      }
    }
    if (!as_mpich) return part;
    const auto begin = [this](u64 block) { return even_share({0, bytes}, among.core(), block).first; };
    return {begin(part.first), begin(part.first + part.bytes) - begin(part.first)};
  }
  /// What the even (0) or the odd task of a pair adds up, where both do.
  [[nodiscard]] Extent half(u32 odd) const {
    return odd == 0 ? Extent{0, bytes / 2} : Extent{bytes / 2, bytes - bytes / 2};
  }

  /// Pairs meet in three slots and with tags 0 and 1.
  static constexpr u32 meeting = 3, first_tag = 2;
  [[nodiscard]] Op meet(u32 task, u64 slot) const {
    if (as_mpich) return slot == 0 ? among.fold(task, bytes, 0) : Op{};
    if (!among.in_pair(task)) return {};
    const u32 odd = task % 2, peer = task ^ 1;
    if (slot == 0) return send_unless_empty(peer, half(1 - odd).bytes, 0);
    if (slot == 1) return receive_unless_empty(peer, half(odd).bytes, 0);
    return odd == 1 ? send_unless_empty(peer, half(1).bytes, 1) : receive_unless_empty(peer, half(1).bytes, 1);
  }
  /// Step k of the reduction: slot 0 sends the half that is the other's, slot 1 receives.
  [[nodiscard]] Op split(u32 task, u32 k, u64 slot) const {
    const u32 number = among.number(task), other = number ^ (u32{1} << k);
    if (slot == 0) return send_unless_empty(among.task(other), after(other, k + 1).bytes, first_tag + k);
    return receive_unless_empty(among.task(other), after(number, k + 1).bytes, first_tag + k);
  }
  /// Whether data is added up: of the meeting but where a half comes back, and of the steps of the reduction.
  [[nodiscard]] bool combines(const Op& receive) const {
    return receive.tag == 0 || (receive.tag >= first_tag && receive.tag < first_tag + levels());
  }
  /// Whether a byte goes with a message: of a meeting, of a step (what is the receiver's half), of the same steps
  /// backwards (what the sender has), or of the end (all).
  [[nodiscard]] bool carries(u32 from, const Op& op, u64 byte) const {
    if (op.tag == 0) return as_mpich || half(op.peer % 2).has(byte);
    if (op.tag == 1) return half(1).has(byte);
    const u32 step = op.tag - first_tag;
    if (step >= 2 * levels()) return true;
    if (step < levels()) return after(among.number(op.peer), step + 1).has(byte);
    return after(among.number(from), 2 * levels() - step).has(byte);
  }
};

}  // namespace weft::workloads
