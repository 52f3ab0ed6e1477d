// Units of SimGrid's documentation (Platform_reference: units).
#include "tools/import/simgrid/quantities.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "engine/base/text/parsed.hpp"
#include "engine/base/text/words.hpp"

namespace weft::tools::simgrid {
namespace {

using Units = std::pair<std::string_view, double>;

/// The number at the beginning, and what is behind it.
std::optional<std::pair<double, std::string_view>> number_and_unit(std::string_view text) {
  text = trimmed(text);
  std::size_t end = 0;
  const auto digit = [&](std::size_t at) { return at < text.size() && text[at] >= '0' && text[at] <= '9'; };
  while (end < text.size()) {
    const char letter = text[end];
    const bool exponent =
        (letter == 'e' || letter == 'E') && end > 0 &&
        (digit(end + 1) || (end + 1 < text.size() && (text[end + 1] == '-' || text[end + 1] == '+') && digit(end + 2)));
    if (exponent)
      end += 2;
    else if (digit(end) || letter == '.')
      ++end;
    else
      break;
  }
  const auto value = parsed<double>(std::string(text.substr(0, end)));
  if (!value || !std::isfinite(*value) || *value < 0) return std::nullopt;
  return std::pair{*value, trimmed(text.substr(end))};
}

/// A prefix in front of `unit`: "M" of "MBps".
std::optional<double> prefix(std::string_view text) {
  static constexpr std::array<Units, 12> all{{{"", 1},
                                              {"k", 1e3},
                                              {"K", 1e3},
                                              {"M", 1e6},
                                              {"G", 1e9},
                                              {"T", 1e12},
                                              {"P", 1e15},
                                              {"E", 1e18},
                                              {"Ki", 1024.0},
                                              {"Mi", 1048576.0},
                                              {"Gi", 1073741824.0},
                                              {"Ti", 1099511627776.0}}};
  const auto found = std::ranges::find(all, text, &Units::first);
  return found == all.end() ? std::nullopt : std::optional(found->second);
}

std::optional<double> with_prefix(std::string_view text, std::string_view unit, double factor) {
  const auto given = number_and_unit(text);
  if (!given || !given->second.ends_with(unit)) return std::nullopt;
  const auto times = prefix(given->second.substr(0, given->second.size() - unit.size()));
  return times ? std::optional(given->first * *times * factor) : std::nullopt;
}

std::optional<double> plain(std::string_view text) {
  const auto given = number_and_unit(text);
  return given && given->second.empty() ? std::optional(given->first) : std::nullopt;
}

}  // namespace

double nanoseconds(double seconds) { return std::round(seconds * 1e18) / 1e9; }

std::optional<double> bandwidth(std::string_view text) {
  if (const auto bytes = with_prefix(text, "Bps", 1)) return bytes;
  if (const auto bits = with_prefix(text, "bps", 0.125)) return bits;
  return plain(text);
}

std::optional<double> duration(std::string_view text) {
  static constexpr std::array<Units, 9> units{{{"ps", 1e-12},
                                               {"ns", 1e-9},
                                               {"us", 1e-6},
                                               {"ms", 1e-3},
                                               {"s", 1},
                                               {"m", 60},
                                               {"h", 3600},
                                               {"d", 86400},
                                               {"", 1}}};
  const auto given = number_and_unit(text);
  if (!given) return std::nullopt;
  const auto unit = std::ranges::find(units, given->second, &Units::first);
  return unit == units.end() ? std::nullopt : std::optional(given->first * unit->second);
}

std::optional<double> speed(std::string_view text) {
  const std::string_view first = text.substr(0, text.find_first_of(",;"));
  if (const auto flops = with_prefix(first, "f", 1)) return flops;
  if (const auto flops = with_prefix(first, "flops", 1)) return flops;
  return plain(first);
}

std::optional<std::vector<i64>> radical(std::string_view text) {
  constexpr i64 most = 1 << 20;
  std::vector<i64> all;
  for (const std::string& part : listed_names(text)) {
    const std::size_t dash = part.find('-');
    const auto first = parsed<i64>(part.substr(0, dash));
    const auto last = dash == std::string::npos ? first : parsed<i64>(part.substr(dash + 1));
    if (!first || !last || *first < 0 || *last < *first || *last - *first >= most) return std::nullopt;
    for (i64 number = *first; number <= *last; ++number) all.push_back(number);
    if (static_cast<i64>(all.size()) > most) return std::nullopt;
  }
  return all.empty() ? std::nullopt : std::optional(all);
}

std::optional<std::vector<Section>> sections(std::string_view text) {
  std::vector<Section> all;
  for (const std::string& part : listed_words(text, "; ")) {
    std::vector<double> numbers;
    for (const std::string& word : listed_words(part, ":")) {
      const auto number = plain(word);
      if (!number) return std::nullopt;
      numbers.push_back(*number);
    }
    if (numbers.empty() || numbers.size() > 3) return std::nullopt;
    if (numbers.size() == 1) numbers.insert(numbers.begin(), 0);
    all.push_back({numbers[0], numbers[1], numbers.size() > 2 ? numbers[2] : 0});
  }
  std::ranges::sort(all, {}, &Section::from);
  return all.empty() ? std::nullopt : std::optional(all);
}

}  // namespace weft::tools::simgrid
