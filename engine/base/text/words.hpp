// Words in texts: lists of the config ("adaptive, basic"), and capital letters.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// What separates words on a line of a text file, ends of lines of other systems among it.
inline constexpr std::string_view line_blanks = " \t\r";

[[nodiscard]] constexpr bool is_line_blank(char c) { return line_blanks.find(c) != std::string_view::npos; }

/// A text without the blanks at its ends.
[[nodiscard]] constexpr std::string_view trimmed(std::string_view text, std::string_view blanks = line_blanks) {
  const auto begin = text.find_first_not_of(blanks);
  return begin == std::string_view::npos ? std::string_view()
                                         : text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

/// The words of a list with commas or blanks between them, or other characters.
[[nodiscard]] inline std::vector<std::string> listed_words(std::string_view text, std::string_view between = ", ") {
  std::vector<std::string> words;
  for (std::size_t at = text.find_first_not_of(between); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(between, at), text.size());
    words.emplace_back(text.substr(at, end - at));
    at = text.find_first_not_of(between, end);
  }
  return words;
}

/// "an app, b" as names: blanks around them do not count, and empty ones are left out.
[[nodiscard]] inline std::vector<std::string> listed_names(std::string_view list) {
  std::vector<std::string> names;
  for (const std::string& word : listed_words(list, ",")) {
    if (const std::string_view name = trimmed(word, " "); !name.empty()) names.emplace_back(name);
  }
  return names;
}

/// With small letters in place of capital ones; ASCII.
[[nodiscard]] inline std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

}  // namespace weft
