// Numbers in tables and sentences; see the header.
#include "engine/base/text/numbers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace weft {

std::string fixed(double value, int decimals) {
  return std::isfinite(value) ? fmt::format("{:.{}f}", value, decimals) : "n/a";
}

std::string percent(double share, int decimals) { return fixed(100 * share, decimals) + " %"; }

std::string grouped(u64 value) {
  std::string text = std::to_string(value);
  for (std::size_t place = text.size(); place > 3;) {
    place -= 3;
    text.insert(place, ",");
  }
  return text;
}

std::string counted(u64 count, std::string_view thing) {
  return fmt::format("{} {}{}", grouped(count), thing, count == 1 ? "" : thing.ends_with("ch") ? "es" : "s");
}

std::string significant(double value, int digits) {
  if (!std::isfinite(value)) return "n/a";
  if (value == 0) return "0";
  const double size = std::abs(value);
  if (size < 1e-4 || size >= 1e15) return fmt::format("{:.{}g}", value, digits);
  if (value == std::floor(value)) return fixed(value, 0);
  return fixed(value, std::max(0, digits - 1 - static_cast<int>(std::floor(std::log10(size)))));
}

double without_rounding(double share) {
  constexpr double rounding = 1e-9;
  return std::abs(share) < rounding ? 0.0 : share;
}

std::string plus_minus(double half_width, int digits) {
  if (!std::isfinite(half_width)) return "";
  return " ± " + significant(without_rounding(half_width), digits);
}

std::string with_prefix(double value) {
  if (!std::isfinite(value)) return "n/a";
  constexpr std::array<const char*, 6> prefixes = {"", " k", " M", " G", " T", " P"};
  std::size_t step = 0;
  while (std::abs(value) >= 999.5 && step + 1 < prefixes.size()) {
    value /= 1000;
    ++step;
  }
  // Rounded first: 0.9997 k must read 1 k, not 1.000 k.
  if (std::abs(value) >= 99.95)
    value = std::round(value);
  else if (std::abs(value) >= 9.995)
    value = std::round(value * 10) / 10;
  else if (step > 0)
    value = std::round(value * 100) / 100;
  return significant(value, 3) + prefixes[step];
}

std::string byte_size(double bytes) {
  if (!std::isfinite(bytes)) return "n/a";
  constexpr std::array<const char*, 5> units = {" B", " KiB", " MiB", " GiB", " TiB"};
  std::size_t step = 0;
  while (std::abs(bytes) >= 1000 && step + 1 < units.size()) {
    bytes /= 1024;
    ++step;
  }
  return significant(bytes, 3) + units[step];
}

std::string duration(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0) return "n/a";
  if (seconds < 1e-3) return significant(seconds * 1e6, 3) + " us";
  if (seconds < 0.9995) return significant(seconds * 1e3, 3) + " ms";
  if (seconds < 99.95) return significant(seconds, 3) + " s";
  const u64 whole = static_cast<u64>(std::min(seconds, 1e15) + 0.5);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace weft
