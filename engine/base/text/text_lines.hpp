// Lines of a text that may be long, from a stream of bytes.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/text/byte_source.hpp"
#include "engine/base/types.hpp"

namespace weft {

class TextLines {
 public:
  static constexpr std::size_t usual_longest_line = 4096;
  /// Lines without anything to say in a row at most: a file of nothing else is no input, however large it says it is.
  static constexpr u64 most_idle_lines = 1'000'000;

  /// Memory: a buffer that grows to the longest line there is, at most twice `longest_line`.
  explicit TextLines(std::unique_ptr<ByteSource> source, std::size_t longest_line = usual_longest_line);
  /// The next line, without its end and blanks around it; valid until the next call. False at the end of the file.
  /// Throws InputError for a line that is longer than `longest_line`, or has a NUL byte.
  [[nodiscard]] bool next(std::string_view& line);
  /// The next line that is not empty and does not begin with one of `comments`. Throws InputError as `next` does, and
  /// after `most_idle_lines` others.
  [[nodiscard]] bool next_but(std::string_view comments, std::string_view& line);
  /// Number of the last line, from 1.
  [[nodiscard]] u64 number() const { return number_; }
  [[nodiscard]] const std::string& name() const { return source_->name(); }
  /// Throws InputError "file:line: problem (got ...); expected ..." for the last line.
  [[noreturn]] void reject(const std::string& problem, std::string_view got, const std::string& expected) const;

 private:
  std::unique_ptr<ByteSource> source_;
  std::size_t longest_line_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;  ///< what is unread is buffer_[begin_, end_)
  u64 number_ = 0;
};

/// Takes the next word, up to a blank, off the front of a line; empty if there is none.
[[nodiscard]] std::string_view next_word(std::string_view& line);
/// Reads a whole number of digits alone, at most `most`; false if `word` is none.
[[nodiscard]] bool whole_number(std::string_view word, u64 most, u64& number);

}  // namespace weft
