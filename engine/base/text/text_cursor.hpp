// Texts whose lines may be too long for memory (a line of Paraver, VEF or Dimemas can list a million tasks), field by
// field, with the number of the line for errors.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/text/byte_source.hpp"
#include "engine/base/text/line_place.hpp"
#include "engine/base/types.hpp"

namespace weft {

/// Goes through a text once. Blanks are ' ', tab and '\r'. Errors are InputError "FILE:LINE: problem (got ...);
/// expected ...".
class TextCursor {
 public:
  static constexpr int end = -1;
  static constexpr std::size_t most_word_bytes = 4096;

  explicit TextCursor(std::unique_ptr<ByteSource> source);
  /// The next character, or `end`.
  [[nodiscard]] int peek() {
    if (at_ == filled_ && !refill()) return end;
    return static_cast<unsigned char>(buffer_[at_]);
  }
  /// Passes over it; call peek before.
  void skip() {
    if (buffer_[at_++] == '\n') ++line_;
  }
  void skip_blanks();
  /// Whether nothing but blanks is left of the line.
  [[nodiscard]] bool at_line_end();
  void skip_line();
  /// Passes over blanks and empty lines; false at the end of the text.
  [[nodiscard]] bool next_line();
  /// Ends the line, if nothing but blanks is left of it.
  void end_line(const std::string& expected);
  /// Passes over `wanted` if it comes next.
  [[nodiscard]] bool take(char wanted);
  void expect(char wanted, const std::string& expected);
  /// What comes up to a blank, the end of the line or one of ":,()"; valid until the next call. May be empty.
  [[nodiscard]] std::string_view word();
  /// A whole number of at most `most`, behind blanks; `field` is its name.
  [[nodiscard]] u64 number(const char* field, u64 most);
  /// Such a number or -1, which is given back as ~0.
  [[nodiscard]] u64 number_or_minus_one(const char* field, u64 most);

  [[nodiscard]] u64 line() const { return line_; }
  [[nodiscard]] const std::string& name() const { return source_->name(); }
  [[noreturn]] void reject(const std::string& problem, std::string_view got, const std::string& expected) const {
    reject_at_line(name(), line_, problem, got, expected);
  }

 private:
  bool refill();
  [[noreturn]] void reject_number(const char* field, u64 most, bool minus_one, std::string_view digits);

  std::unique_ptr<ByteSource> source_;
  std::vector<char> buffer_;
  std::size_t at_ = 0, filled_ = 0;
  u64 line_ = 1;
  std::string word_;
};

}  // namespace weft
