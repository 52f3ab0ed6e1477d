// Quantities with units as SST writes them: 4GB/s, 16kB, 20ns, 8b.
#include "tools/import/sst/units.hpp"

#include <cmath>

#include "engine/base/text/parsed.hpp"
#include "engine/base/text/words.hpp"

namespace weft::tools::sst {
namespace {

/// The number at the begin of `text`, times the prefix that stands before `unit`, if nothing else is there.
std::optional<double> quantity(std::string_view text, std::string_view unit) {
  text = trimmed(text);
  const std::optional<double> number = take_number<double>(text);
  text = trimmed(text);
  if (!number || !std::isfinite(*number) || !text.ends_with(unit)) return {};
  text.remove_suffix(unit.size());
  double factor = 1;
  if (text.ends_with('i') && text.size() == 2) {
    static constexpr std::string_view steps = "KMGTPE";
    const std::size_t step = text.front() == 'k' ? 0 : steps.find(text.front());
    if (step == std::string_view::npos) return {};
    factor = std::ldexp(1, 10 * static_cast<int>(step + 1));
  } else if (text.size() == 1) {
    static constexpr std::string_view above = "kMGTPE", below = "munpfa";
    const char c = text.front() == 'K' ? 'k' : text.front();
    if (const std::size_t up = above.find(c); up != std::string_view::npos)
      factor = std::pow(10.0, 3.0 * static_cast<double>(up + 1));
    else if (const std::size_t down = below.find(c); down != std::string_view::npos)
      factor = std::pow(10.0, -3.0 * static_cast<double>(down + 1));
    else
      return {};
  } else if (!text.empty()) {
    return {};
  }
  const double value = *number * factor;
  return std::isfinite(value) ? std::optional<double>(value) : std::nullopt;
}

}  // namespace

std::optional<double> bytes_of(std::string_view text) {
  if (const auto bytes = quantity(text, "B")) return bytes;
  if (const auto bits = quantity(text, "b")) return *bits / 8;
  return {};
}

std::optional<double> gbps_of(std::string_view text) {
  if (const auto bytes = quantity(text, "B/s")) return *bytes * 8e-9;
  if (const auto bits = quantity(text, "b/s")) return *bits * 1e-9;
  return {};
}

std::optional<double> ns_of(std::string_view text) {
  if (const auto hertz = quantity(text, "Hz"); hertz && *hertz > 0) return 1e9 / *hertz;
  if (const auto seconds = quantity(text, "s")) return *seconds * 1e9;
  return {};
}

}  // namespace weft::tools::sst
