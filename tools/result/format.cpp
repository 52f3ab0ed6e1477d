// Numbers as people read them, shared by the terminal summary, the report and the progress line.
#include "tools/result/format.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

#include "tools/text/numbers.hpp"

namespace weft::tools {
namespace {

/// Where a bin starts on a logarithmic axis: latency 0 has no place there, so the first bin starts at half a cycle.
double log_edge(double cycles) { return std::log(std::max(cycles, 0.5)); }

bool is_range(const HistogramBin& bin) { return std::isfinite(bin.low) && std::isfinite(bin.high); }

}  // namespace

std::string grouped(u64 value) {
  std::string text = std::to_string(value);
  for (std::size_t place = text.size(); place > 3;) {
    place -= 3;
    text.insert(place, ",");
  }
  return text;
}

std::string significant(double value, int digits) {
  if (!std::isfinite(value)) return "n/a";
  if (value == 0) return "0";
  const double size = std::abs(value);
  if (size < 1e-4 || size >= 1e15) return fmt::format("{:.{}g}", value, digits);
  if (value == std::floor(value)) return fixed(value, 0);
  return fixed(value, std::max(0, digits - 1 - static_cast<int>(std::floor(std::log10(size)))));
}

std::string plus_minus(double half_width, int digits) {
  return std::isfinite(half_width) ? " ± " + significant(half_width, digits) : "";
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

std::vector<double> rebin_log(const std::vector<HistogramBin>& bins, double low, double high, u32 columns) {
  std::vector<double> result(columns, 0.0);
  const double start = log_edge(low);
  const double width = (log_edge(high) - start) / columns;
  if (columns == 0 || !(width > 0)) return result;
  for (const HistogramBin& bin : bins) {
    if (!is_range(bin)) continue;
    const double from = std::clamp((log_edge(bin.low) - start) / width, 0.0, static_cast<double>(columns));
    const double to = std::clamp((log_edge(bin.high) - start) / width, from, static_cast<double>(columns));
    const auto packets = static_cast<double>(bin.packets);
    const u32 first = std::min(static_cast<u32>(from), columns - 1);
    if (!(to > from)) {
      result[first] += packets;
      continue;
    }
    for (u32 column = first; column < columns && column < to; ++column) {
      const double overlap = std::min(to, column + 1.0) - std::max(from, static_cast<double>(column));
      result[column] += packets * overlap / (to - from);
    }
  }
  return result;
}

HistogramRange occupied_range(const std::vector<HistogramBin>& bins) {
  HistogramRange range;
  for (const HistogramBin& bin : bins) {
    if (bin.packets == 0 || !is_range(bin)) continue;
    if (range.high == 0) range.low = std::max(bin.low, 0.5);
    range.low = std::min(range.low, std::max(bin.low, 0.5));
    range.high = std::max({range.high, bin.high, range.low * 1.01});
  }
  return range;
}

}  // namespace weft::tools
