// Numbers in tables and sentences. Those with prefixes and units are in tools/result/format.hpp.
#pragma once

#include <string>
#include <string_view>

#include "engine/types.hpp"

namespace weft::tools {

/// So many decimals, never an exponent; "n/a" if not finite.
[[nodiscard]] std::string fixed(double value, int decimals);
/// 0.123 -> "12.3 %".
[[nodiscard]] std::string percent(double share, int decimals = 1);
/// "1 rank", "2 ranks".
[[nodiscard]] std::string counted(u64 count, std::string_view thing);

}  // namespace weft::tools
