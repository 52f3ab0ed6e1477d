// Which counts of tasks or nodes are powers, the nearest ones that are, factors of counts and even parts of them: for
// checks, shapes and shares.
#pragma once

#include <string>
#include <vector>

#include "engine/base/types.hpp"

namespace weft {

/// The powers of `base` next below and above `count` that are not below `least`, itself a power: "32 or 64".
[[nodiscard]] std::string nearest_powers_of(u32 base, u32 count, u32 least);

/// `parts` >= 1 factors of `count` >= 1 that are as close to each other as possible, the largest first, as
/// MPI_Dims_create gives them: of all factorisations that with the least difference of largest and smallest; of those
/// with the same difference the one whose largest is least. 512 in two: 32, 16; 64 in three: 4, 4, 4.
[[nodiscard]] std::vector<u32> nearest_square_factors(u32 count, u32 parts);

/// How much of `whole` part `index` of `parts` has, divided as evenly as can be: the first whole % parts have one more.
/// So many have those, too, to whom `whole` are dealt out in turn.
[[nodiscard]] constexpr u64 even_part(u64 whole, u64 parts, u64 index) {
  return whole / parts + (index < whole % parts ? 1 : 0);
}

}  // namespace weft
