// Text files of lines of numbers: matrices, histograms, flows. What is wrong with one is told with file and line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/types.hpp"

namespace weft {

/// A line that is being read: its words, without comments (#) and what separates words (blanks, tabs, commas).
class NumberLine {
 public:
  NumberLine(const std::string& file, u64 number, std::string_view text);

  [[nodiscard]] std::size_t words() const { return words_.size(); }
  [[nodiscard]] std::string_view word(std::size_t ix) const { return words_[ix]; }
  /// The word as a whole number of at most `most`. Throws InputError.
  [[nodiscard]] u64 whole(std::size_t ix, u64 most, const std::string& what) const;
  /// The word as a finite number that is not negative. Throws InputError.
  [[nodiscard]] double weight(std::size_t ix, const std::string& what) const;
  /// Throws InputError: "FILE:LINE: problem".
  [[noreturn]] void fail(const std::string& problem) const;
  /// Throws InputError unless there are so many words; `form`: "distance weight".
  void expect_words(std::size_t count, const std::string& form) const;

 private:
  const std::string& file_;
  u64 number_;
  std::vector<std::string_view> words_;
};

/// Calls `line(NumberLine)` for each line of a text that is not empty, in order; `name` stands for it in errors.
template <class Line>
void for_each_number_line(std::string_view text, const std::string& name, Line&& line) {
  u64 number = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const NumberLine one(name, ++number, text.substr(0, end));
    if (one.words() != 0) line(one);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
}

}  // namespace weft
