// Cuts a GOAL text into words and signs, without comments, from a stream of bytes. No reader of lines: comments reach
// over lines, blocks need no line ends, and operations come by the hundred million.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/text/byte_source.hpp"
#include "engine/base/text/line_place.hpp"
#include "engine/base/types.hpp"

namespace weft::workloads {

/// Longest word in bytes.
inline constexpr std::size_t longest_goal_word = 4096;
/// Bytes without a word at most, comments included: a file of nothing else is no program, however large it says it is.
inline constexpr u64 most_goal_bytes_without_word = u64{16} << 20;

class GoalLexer {
 public:
  /// word: letters, digits, _ - and . in a row (labels, keywords, numbers).
  enum class Kind : u8 { word, colon, open, close, line_end, end };

  explicit GoalLexer(std::unique_ptr<ByteSource> source);
  /// To the next token. Throws InputError for what is none.
  void advance();

  /// To the next '}', which is the token then; or to the end. What lies between is not looked at, but for comments.
  void skip_to_close();

  [[nodiscard]] Kind kind() const { return kind_; }
  /// Text of the token; valid until `advance`.
  [[nodiscard]] std::string_view text() const { return {buffer_.data() + begin_, at_ - begin_}; }
  [[nodiscard]] bool is(std::string_view word) const { return kind_ == Kind::word && text() == word; }
  /// Line of the token, from 1; that of a line end is the line that it ends.
  [[nodiscard]] u64 line() const { return line_; }
  [[nodiscard]] const std::string& name() const { return source_->name(); }

  /// Throws InputError "file:line: problem (got ...); expected ..." for the token.
  [[noreturn]] void reject(const std::string& problem, const std::string& expected) const;
  /// Throws InputError like `reject` for a line and what is there.
  [[noreturn]] void reject_at(u64 line, const std::string& problem, std::string_view got,
                              const std::string& expected) const {
    reject_at_line(name(), line, problem, got, expected);
  }

 private:
  bool refill();
  void word();
  void skip_comment();
  bool skip_past(char last);

  std::unique_ptr<ByteSource> source_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, at_ = 0, end_ = 0;  ///< the token is buffer_[begin_, at_), what is unread buffer_[at_, end_)
  Kind kind_ = Kind::line_end;
  u64 line_ = 1, next_line_ = 1;
  u64 without_word_ = 0;  ///< bytes read since the last word
};

}  // namespace weft::workloads
