// A policy that is no other router's: in each cycle it asks all packets that wait, which must change nothing.
#pragma once

#include "models/machine/packets/block_bytes.hpp"
#include "models/machine/packets/plain.hpp"

namespace outside {

struct AsksAll : weft::models::PlainPolicy<1> {
  using PlainPolicy::PlainPolicy;
  template <class BlockType>
  [[nodiscard]] static Mask who_may_move(const BlockType& block) {
    return block.head().waiting;
  }
};

}  // namespace outside
