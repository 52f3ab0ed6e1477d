// Numbers as people read them, in tables, sentences and the progress line.
#pragma once

#include <string>
#include <string_view>

#include "engine/base/types.hpp"

namespace weft {

/// So many decimals, never an exponent; "n/a" if not finite.
[[nodiscard]] std::string fixed(double value, int decimals);
/// 0.123 -> "12.3 %".
[[nodiscard]] std::string percent(double share, int decimals = 1);
/// "1 rank", "2 ranks".
[[nodiscard]] std::string counted(u64 count, std::string_view thing);
/// 1234567 -> "1,234,567".
[[nodiscard]] std::string grouped(u64 value);
/// `digits` significant digits without an exponent where that is readable; whole numbers without decimals;
/// "n/a" if not finite.
[[nodiscard]] std::string significant(double value, int digits = 4);
/// 0 for a share that is nothing but the rounding of differences of equal numbers.
[[nodiscard]] double without_rounding(double share);
/// " ± 0.0019": half of the 95 % confidence interval of a mean (engine/base/confidence.hpp), and nothing else ever;
/// empty where there is none.
[[nodiscard]] std::string plus_minus(double half_width, int digits = 2);
/// 12345678 -> "12.3 M": three digits and a decimal prefix (k, M, G, T), a space before it; "850" below a thousand.
[[nodiscard]] std::string with_prefix(double value);
/// 671088640 -> "640 MiB".
[[nodiscard]] std::string byte_size(double bytes);
/// Seconds as "850 ms", "12.3 s", "3 min 20 s", "2 h 05 min".
[[nodiscard]] std::string duration(double seconds);

}  // namespace weft
