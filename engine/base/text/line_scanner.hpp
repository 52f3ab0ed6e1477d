// What stands on a line of text, taken off its front piece by piece, and lines cut into fields.
#pragma once

#include <string_view>
#include <vector>

#include "engine/base/text/words.hpp"
#include "engine/base/types.hpp"

namespace weft {

/// The rest of a line. Each function says whether what it is named after was there, and leaves the line alone if not.
class LineScanner {
 public:
  explicit LineScanner(std::string_view text) : rest_(text) {}
  void skip_blanks();
  bool take(char character);
  bool take(std::string_view word);
  /// A number in decimal, or in hexadecimal with 0x; up to 64 bits.
  bool number(u64& value);
  bool decimal(u64& value);
  /// Digits in hexadecimal, with 0x or without.
  bool hexadecimal(u64& value);
  /// Everything up to the character, which is taken too.
  bool up_to(char character, std::string_view& text);
  /// Up to the next blank.
  std::string_view word();
  [[nodiscard]] std::string_view rest() const { return rest_; }
  [[nodiscard]] bool empty() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

/// Takes the next word, up to a blank, off the front of a line; empty if there is none.
[[nodiscard]] std::string_view next_word(std::string_view& line);
/// Reads a whole number of digits alone, at most `most`; false if `word` is none.
[[nodiscard]] bool whole_number(std::string_view word, u64 most, u64& number);

/// What stands between separators that may come in a row, in place of what `fields` held.
void split_words(std::string_view text, std::string_view separators, std::vector<std::string_view>& fields);
/// What stands between separators; nothing between two is an empty field.
void split_at(std::string_view text, char separator, std::vector<std::string_view>& fields);

}  // namespace weft
