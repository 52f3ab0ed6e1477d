// Lists in texts of the config: "adaptive, basic".
#pragma once

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

}  // namespace weft
