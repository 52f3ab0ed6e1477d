// The digest of all ranks.
#pragma once

#include "engine/digest.hpp"
#include "engine/transport.hpp"

namespace weft::engine {

/// Sum of all ranks' digests, on every rank. Collective.
[[nodiscard]] inline Digest sum_of_ranks(Transport& transport, const Digest& mine) {
  // In limbs of 32 bits: the carry between two 64-bit words would be lost.
  u64 limbs[4] = {mine.low() & 0xffffffff, mine.low() >> 32, mine.high() & 0xffffffff, mine.high() >> 32};
  transport.sum(limbs);
  Digest all;
  all.add_words(limbs[0], 0);
  all.add_words(limbs[1] << 32, limbs[1] >> 32);
  all.add_words(0, limbs[2]);
  all.add_words(0, limbs[3] << 32);
  return all;
}

}  // namespace weft::engine
