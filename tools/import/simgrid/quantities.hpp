// Numbers with units as SimGrid's files have them.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "engine/base/types.hpp"

namespace weft::tools::simgrid {

constexpr double ps_of_second = 1e12;
/// To a billionth of it.
[[nodiscard]] double nanoseconds(double seconds);
/// 10^9 bit/s of a byte/s.
constexpr double gbps_of_bytes = 8e-9;

/// "1.25GBps", "10Gbps", "125e6": bytes/s. Prefixes k, M, G, T, and Ki, Mi, Gi, Ti of 1024.
[[nodiscard]] std::optional<double> bandwidth(std::string_view text);
/// "50us", "1.5ms", "0.001": seconds.
[[nodiscard]] std::optional<double> duration(std::string_view text);
/// "1Gf", "98.095Mf", "1e9": flop/s; of a list ("2Gf,1Gf") the first.
[[nodiscard]] std::optional<double> speed(std::string_view text);
/// "0-3,7": 0, 1, 2, 3, 7. None if it is no such list, or of more than a million numbers.
[[nodiscard]] std::optional<std::vector<i64>> radical(std::string_view text);
/// "65472:0.94;0:0.81": pairs of a size and a factor, or one number for all sizes (at size 0), by size.
struct Section {
  double from = 0, value = 0, of_byte = 0;
};
[[nodiscard]] std::optional<std::vector<Section>> sections(std::string_view text);

}  // namespace weft::tools::simgrid
