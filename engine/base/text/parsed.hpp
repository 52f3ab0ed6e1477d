// Numbers out of texts: what readers of files and options have in common. What is wrong with a text says who reads it.
#pragma once

#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <type_traits>

#include "engine/base/types.hpp"

namespace weft {

/// Takes the number that a text begins with off it: "12:8" leaves ":8". Nothing, and the text as it was, if there is
/// none or it does not fit the type. No blanks and no + before it. `base`: of whole numbers.
template <class Number>
[[nodiscard]] std::optional<Number> take_number(std::string_view& text, int base = 10) {
  Number value{};
  std::from_chars_result read{};
  const char *const begin = text.data(), *const end = begin + text.size();
  if constexpr (std::is_floating_point_v<Number>) {
    read = std::from_chars(begin, end, value);
  } else {
    read = std::from_chars(begin, end, value, base);
  }
  if (read.ec != std::errc()) return {};
  text.remove_prefix(static_cast<std::size_t>(read.ptr - begin));
  return value;
}

/// A text that is a number as a whole: parsed<u32>("12"). Nothing if it is none, does not fit the type, or is infinite.
template <class Number>
[[nodiscard]] std::optional<Number> parsed(std::string_view text, int base = 10) {
  const std::optional<Number> value = take_number<Number>(text, base);
  if (!value || !text.empty()) return {};
  if constexpr (std::is_floating_point_v<Number>) {
    if (!std::isfinite(*value)) return {};
  }
  return value;
}

/// Whether a text is a number as a whole, which `value` is then; else it stays as it was.
template <class Number>
[[nodiscard]] bool read_number(std::string_view text, Number& value) {
  const std::optional<Number> number = parsed<Number>(text);
  if (number) value = *number;
  return number.has_value();
}

/// Whether a text is a whole number that is too large for the type.
template <class Number>
[[nodiscard]] bool is_too_large(std::string_view text) {
  Number value{};
  const std::from_chars_result read = std::from_chars(text.data(), text.data() + text.size(), value);
  return read.ec == std::errc::result_out_of_range && read.ptr == text.data() + text.size();
}

}  // namespace weft
