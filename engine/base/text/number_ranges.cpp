// Ranges from text; see the header.
#include "engine/base/text/number_ranges.hpp"

#include <algorithm>

#include "engine/base/text/parsed.hpp"
#include "engine/base/text/words.hpp"

namespace weft {
namespace {

bool read_at_most(std::string_view text, u64 most, u64& value) {
  const std::optional<u64> number = parsed<u64>(text);
  if (!number || *number > most) return false;
  value = *number;
  return true;
}

}  // namespace

std::vector<u32> NumberRanges::below(u32 count) const {
  std::vector<bool> there(count, all);
  for (const auto& [first, last] : ranges) {
    for (u64 number = first; number <= last && number < count; ++number) there[number] = true;
  }
  std::vector<u32> numbers;
  for (u32 number = 0; number < count; ++number) {
    if (there[number]) numbers.push_back(number);
  }
  return numbers;
}

u64 NumberRanges::largest() const {
  u64 most = 0;
  for (const auto& [first, last] : ranges) most = std::max(most, last);
  return most;
}

std::optional<NumberRanges> parse_number_ranges(std::string_view text, u64 most) {
  NumberRanges result;
  text = trimmed(text, " ");
  result.all = text == "all";
  if (result.all) return result;
  for (bool more = true; more;) {
    const std::size_t comma = text.find(',');
    const std::string_view piece = trimmed(text.substr(0, comma), " ");
    more = comma != std::string_view::npos;
    if (more) text.remove_prefix(comma + 1);
    const std::size_t dash = piece.find('-');
    u64 first = 0, last = 0;
    if (!read_at_most(trimmed(piece.substr(0, dash), " "), most, first)) return {};
    last = first;
    if (dash != std::string_view::npos && !read_at_most(trimmed(piece.substr(dash + 1), " "), most, last)) return {};
    if (last < first) return {};
    result.ranges.emplace_back(first, last);
  }
  return result;
}

}  // namespace weft
