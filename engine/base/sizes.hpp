// Which counts of tasks or nodes are powers, the nearest ones that are, and factors of counts: for checks and shapes.
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

}  // namespace weft
