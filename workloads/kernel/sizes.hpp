// Which counts of tasks or nodes are powers, and the nearest ones that are: for checks and their error messages.
#pragma once

#include <optional>
#include <string>

#include "engine/types.hpp"

namespace weft::workloads {

/// The whole r with r^exponent == count, if there is one. exponent >= 1.
[[nodiscard]] std::optional<u32> exact_root(u32 count, u32 exponent);

/// The powers r^exponent next below and above `count`: "484 (22^2) or 529 (23^2)".
[[nodiscard]] std::string nearest_powers(u32 count, u32 exponent);

/// The powers of `base` next below and above `count` that are not below `least`, itself a power: "32 or 64".
[[nodiscard]] std::string nearest_powers_of(u32 base, u32 count, u32 least);

}  // namespace weft::workloads
