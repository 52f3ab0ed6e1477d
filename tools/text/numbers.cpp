// Numbers in tables and sentences; see the header.
#include "tools/text/numbers.hpp"

#include <cmath>
#include <fmt/format.h>

namespace weft::tools {

std::string fixed(double value, int decimals) {
  return std::isfinite(value) ? fmt::format("{:.{}f}", value, decimals) : "n/a";
}

std::string percent(double share, int decimals) { return fixed(100 * share, decimals) + " %"; }

std::string counted(u64 count, std::string_view thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

}  // namespace weft::tools
