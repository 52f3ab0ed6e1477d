// Fractions of a link as rates of a host in bytes a second, where the fabric says how fast its links are.
#pragma once

#include <string>

#include "tools/fabric/fabric.hpp"

namespace weft::tools {

/// Data rate of the link that fractions refer to, 10^9 bit/s; 0 if it is not known.
[[nodiscard]] double usual_gbps(const Fabric& fabric);

/// What a host gets of a link of this rate: "812.5 MB/s", "3.125 GB/s" (10^6 and 10^9 bytes a second).
[[nodiscard]] std::string host_rate(double fraction, double gbps);
/// What a host gets of a link of this rate, in MB/s as a number.
[[nodiscard]] constexpr double host_mb_per_s(double fraction, double gbps) { return fraction * gbps * 1000 / 8; }

}  // namespace weft::tools
