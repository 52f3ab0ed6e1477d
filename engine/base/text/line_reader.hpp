// Lines of a text that may be long, from a stream of bytes: traces, matrices, what tools of fabrics print.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/text/byte_source.hpp"
#include "engine/base/text/line_place.hpp"
#include "engine/base/types.hpp"

namespace weft {

class LineReader {
 public:
  static constexpr std::size_t default_longest_line = 4096;
  /// Lines without anything to say in a row at most: a file of nothing else is no input, however large it says it is.
  static constexpr u64 most_idle_lines = 1'000'000;

  /// Memory: a buffer that grows to the longest line there is, at most twice `longest_line`.
  explicit LineReader(std::unique_ptr<ByteSource> source, std::size_t longest_line = default_longest_line);
  /// Throws InputError once more than `bytes` have been read, decompressed ones: no file of `what` is that large.
  void limit(u64 bytes, const std::string& what);
  /// The next line, without its end and blanks around it; valid until the next call. False at the end of the file.
  /// Throws InputError for a line that is longer than `longest_line`, or has a NUL byte.
  [[nodiscard]] bool next(std::string_view& line);
  /// The next line as it stands, without its end ("\n", "\r\n") alone. Throws as `next`, but not for NUL bytes.
  [[nodiscard]] bool next_whole(std::string_view& line);
  /// The next line that is not empty and does not begin with one of `comments`. Throws InputError as `next` does, and
  /// after `most_idle_lines` others.
  [[nodiscard]] bool next_but(std::string_view comments, std::string_view& line);
  /// Number of the last line, from 1.
  [[nodiscard]] u64 number() const { return number_; }
  [[nodiscard]] const std::string& name() const { return source_->name(); }
  /// "FILE:LINE" of the last line for messages.
  [[nodiscard]] std::string place() const { return place(line_of_file()); }
  [[nodiscard]] std::string place(u64 line) const { return place_of_line(name(), line); }
  /// Throws InputError "FILE:LINE: problem (why); advice" for the last line.
  [[noreturn]] void fail(const std::string& problem) const { fail_at_line(name(), line_of_file(), problem); }
  /// Throws InputError "FILE:LINE: problem (got ...); expected ..." for the last line.
  [[noreturn]] void reject(const std::string& problem, std::string_view got, const std::string& expected) const {
    reject_at_line(name(), line_of_file(), problem, got, expected);
  }

 private:
  std::size_t refill();
  [[nodiscard]] u64 line_of_file() const { return source_->lines_before() + number_; }

  std::unique_ptr<ByteSource> source_;
  std::size_t longest_line_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;  ///< what is unread is buffer_[begin_, end_)
  u64 number_ = 0;
  u64 read_ = 0, most_ = UINT64_MAX;  ///< bytes
  std::string limited_;               ///< what most_ is the size of
};

}  // namespace weft
