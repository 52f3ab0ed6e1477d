// Text files that are read as a whole, line by line: partitions, placements, matrices, flows, routes. What is wrong
// with one is told with file and line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/types.hpp"

namespace weft {

/// How lines are written.
struct LineForm {
  std::string_view separators = " \t\r,";  ///< of words
  char comment = '#';                      ///< what follows is none of the line
};

/// A line that is being read, valid as long as the text and the name of the file.
class TextLine {
 public:
  /// `number` counts from 1.
  TextLine(const std::string& file, u64 number, std::string_view text, const LineForm& form = {});

  [[nodiscard]] u64 number() const { return number_; }
  /// The line without comment, and without blanks at its ends.
  [[nodiscard]] std::string_view text() const { return text_; }
  /// What stands behind the mark of a comment.
  [[nodiscard]] std::string_view comment() const { return comment_; }
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
  const std::string* file_;
  u64 number_;
  std::string_view text_, comment_;
  std::vector<std::string_view> words_;
};

/// The lines of a text, one after the other; `name` stands for the file in errors.
class TextLines {
 public:
  TextLines(std::string_view text, const std::string& name, const LineForm& form = {})
      : rest_(text), name_(&name), form_(form), line_(name, 0, {}) {}
  /// To the next line; false at the end, where `line` is the last one's successor without words.
  [[nodiscard]] bool next();
  /// To the next line with words on it.
  [[nodiscard]] bool next_with_words();
  [[nodiscard]] const TextLine& line() const { return line_; }

 private:
  std::string_view rest_;
  const std::string* name_;
  LineForm form_;
  TextLine line_;
};

/// Calls `line(TextLine)` for each line of a text, in order; how many there are.
template <class Line>
u64 for_each_text_line(std::string_view text, const std::string& name, Line&& line, const LineForm& form = {}) {
  TextLines lines(text, name, form);
  while (lines.next()) line(lines.line());
  return lines.line().number() - 1;
}

/// Calls `line(TextLine)` for each line that has words.
template <class Line>
void for_each_line_with_words(std::string_view text, const std::string& name, Line&& line) {
  TextLines lines(text, name);
  while (lines.next_with_words()) line(lines.line());
}

}  // namespace weft
