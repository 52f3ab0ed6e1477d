// How the inputs of a router become one stream: a tree of arbiters with two inputs each, every one of which alternates.
#pragma once

#include "engine/base/types.hpp"

namespace weft::models::spinnaker {

/// The tree over 8 inputs: pairs (0,1) (2,3) (4,5) (6,7), pairs of those, and the root. Arbiters are numbered 1 (the
/// root) to 7, those below i are 2i and 2i + 1; inputs are 8 + input. Nothing waits inside the tree.
class MergeTree {
 public:
  /// Which of the inputs `waiting` (bit mask, not 0) goes on. Bit i of `turns`: whose turn it is at arbiter i, 1 the
  /// upper one's; an arbiter that let a packet through gives the turn to the other side.
  static u32 pick(u32 waiting, u8& turns) {
    u32 at = 1, first = 0, turn = turns;
    for (u32 half = 4; half != 0; half /= 2) {
      const u32 below = ((1U << half) - 1) << first;
      const bool low = (waiting & below) != 0, high = (waiting & below << half) != 0;
      const u32 side = low && high ? turn >> at & 1U : (high ? 1U : 0U);
      turn = (turn & ~(1U << at)) | (side ^ 1U) << at;
      first += side * half;
      at = 2 * at + side;
    }
    turns = static_cast<u8>(turn);
    return first;
  }
};

}  // namespace weft::models::spinnaker
