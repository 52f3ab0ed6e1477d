// Words in texts: lists of the config ("adaptive, basic"), and capital letters.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

namespace weft {

/// The words of a list with commas or blanks between them.
[[nodiscard]] inline std::vector<std::string> listed_words(const std::string& text) {
  std::vector<std::string> words;
  bool inside = false;
  for (const char c : text) {
    const bool between = c == ',' || c == ' ';
    if (!between && !inside) words.emplace_back();
    if (!between) words.back() += c;
    inside = !between;
  }
  return words;
}

/// With small letters in place of capital ones; ASCII.
[[nodiscard]] inline std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

}  // namespace weft
