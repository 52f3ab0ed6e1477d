// Fields of texts; see the header.
#include "engine/base/text/text_cursor.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/text/words.hpp"

namespace weft {
namespace {

constexpr std::size_t text_buffer_bytes = 256 * 1024;
/// A few compressed bytes can stand for gigabytes of them.
constexpr u64 most_empty_lines = 1'000'000, most_blanks = u64{1} << 24;

bool is_blank_of_text(int c) { return c != TextCursor::end && is_line_blank(static_cast<char>(c)); }
bool ends_word(int c) {
  return c == TextCursor::end || c == '\n' || is_blank_of_text(c) || c == ':' || c == ',' || c == '(' || c == ')';
}

}  // namespace

TextCursor::TextCursor(std::unique_ptr<ByteSource> source) : source_(std::move(source)), buffer_(text_buffer_bytes) {}

bool TextCursor::refill() {
  at_ = 0;
  filled_ = source_->read(buffer_.data(), buffer_.size());
  return filled_ > 0;
}

void TextCursor::skip_blanks() {
  for (u64 count = 0; is_blank_of_text(peek()); skip()) {
    if (++count > most_blanks) reject(fmt::format("more than {} blanks in a row", most_blanks), "", "a word");
  }
}

bool TextCursor::at_line_end() {
  skip_blanks();
  const int next = peek();
  return next == '\n' || next == end;
}

void TextCursor::skip_line() {
  for (int next = peek(); next != end; next = peek()) {
    skip();
    if (next == '\n') return;
  }
}

bool TextCursor::next_line() {
  for (u64 count = 0; at_line_end(); skip()) {
    if (peek() == end) return false;
    if (++count > most_empty_lines)
      reject(fmt::format("more than {} empty lines in a row", most_empty_lines), "", "a record");
  }
  return true;
}

void TextCursor::end_line(const std::string& expected) {
  if (!at_line_end()) reject("there is more on the line", word(), expected);
  if (peek() != end) skip();
}

bool TextCursor::take(char wanted) {
  if (peek() != static_cast<unsigned char>(wanted)) return false;
  skip();
  return true;
}

void TextCursor::expect(char wanted, const std::string& expected) {
  if (take(wanted)) return;
  const int next = peek();
  if (next == '\n' || next == end) reject("the line ends early", "", expected);
  const char got = static_cast<char>(next);
  reject(fmt::format("'{}' is missing", wanted), {&got, 1}, expected);
}

std::string_view TextCursor::word() {
  word_.clear();
  for (int next = peek(); !ends_word(next); next = peek()) {
    if (word_.size() == most_word_bytes)
      reject(fmt::format("a word of more than {} bytes", most_word_bytes), word_, "fields of a trace");
    word_ += static_cast<char>(next);
    skip();
  }
  return word_;
}

u64 TextCursor::number(const char* field, u64 most) {
  skip_blanks();
  u64 value = 0;
  word_.clear();
  for (int next = peek(); next >= '0' && next <= '9'; next = peek()) {
    const u64 digit = static_cast<u64>(next - '0');
    word_ += static_cast<char>(next);
    skip();
    if (value > (most - std::min(most, digit)) / 10 || digit > most) reject_number(field, most, false, word_);
    value = value * 10 + digit;
  }
  if (word_.empty() || !ends_word(peek())) reject_number(field, most, false, word_);
  return value;
}

u64 TextCursor::number_or_minus_one(const char* field, u64 most) {
  skip_blanks();
  if (peek() != '-') return number(field, most);
  const std::string got(word());
  if (got != "-1") reject_number(field, most, true, got);
  return ~u64{0};
}

void TextCursor::reject_number(const char* field, u64 most, bool minus_one, std::string_view digits) {
  std::string got(digits);
  while (got.size() < 64 && !ends_word(peek())) {
    got += static_cast<char>(peek());
    skip();
  }
  reject(fmt::format("{} is no such number", field), got,
         fmt::format("an integer 0..{}{}", most, minus_one ? " or -1" : ""));
}

}  // namespace weft
