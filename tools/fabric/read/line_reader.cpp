// Lines are views into a buffer that is filled from behind.
#include "tools/fabric/read/line_reader.hpp"

#include <cstring>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/text/parsed.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/words.hpp"

namespace weft::tools {
namespace {}  // namespace

bool is_message(std::string_view line) {
  if (line.size() > 4 && line[0] == '-' && line[2] == '-' && line[3] == ' ' &&
      std::string_view("EWI").find(line[1]) != std::string_view::npos)
    return true;  // ibdiagnet
  for (const std::string_view start : {"Warning: ", "warning: ", "WARNING: ", "libibumad: ", "libibmad: "}) {
    if (line.starts_with(start)) return true;
  }
  // "WORD: [PROCESS] ", "WORD: iberror: ", "FILE.c:NUMBER; ".
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || colon == 0) return false;
  const std::string_view word = line.substr(0, colon);
  // Programs have names in small letters; "CA: [7] rack:" is no message.
  const bool program = (word.front() >= 'a' && word.front() <= 'z') || word.front() == '/' || word.front() == '.';
  if (!program || word.find_first_of(" \t\"'=[(") != std::string_view::npos) return false;
  Words behind(line.substr(colon + 1));
  u64 number = 0;
  if (word.ends_with(".c")) return behind.decimal(number) && (behind.take(';') || behind.take(':'));
  behind.skip_blanks();
  if (behind.take("iberror: ")) return true;
  return behind.take('[') && behind.decimal(number) && behind.take(']') && behind.take(' ');
}

LineReader::LineReader(std::unique_ptr<ByteSource> source) : source_(std::move(source)), buffer_(4 * longest, '\0') {}

std::string LineReader::place(u64 line) const { return fmt::format("{}:{}", file(), line); }

void LineReader::fail(const std::string& problem) const { throw InputError(place() + ": " + problem); }

void LineReader::refill() {
  std::memmove(buffer_.data(), buffer_.data() + at_, filled_ - at_);
  filled_ -= at_;
  at_ = 0;
  if (filled_ > longest) {
    ++number_;
    fail(fmt::format("the line is longer than {} bytes (this is no text of a fabric tool); check which file it is",
                     longest));
  }
  const std::size_t got = source_->read(buffer_.data() + filled_, buffer_.size() - filled_);
  at_end_ = got == 0;
  filled_ += got;
  read_ += got;
  if (read_ <= most_) return;
  throw InputError(fmt::format("'{}' has more than {} MiB (more than {} can have); check which file it is", file(),
                               most_ >> 20, limited_));
}

void LineReader::limit(u64 bytes, const std::string& what) {
  most_ = bytes;
  limited_ = what;
}

bool LineReader::next(std::string_view& line) {
  std::size_t searched = 0;
  for (;;) {
    const char* const begin = buffer_.data() + at_;
    const std::size_t there = filled_ - at_;
    const auto* const end = static_cast<const char*>(std::memchr(begin + searched, '\n', there - searched));
    if (end == nullptr && !at_end_) {
      searched = there;
      refill();
      continue;
    }
    if (end == nullptr && there == 0) return false;
    const std::size_t length = end == nullptr ? there : static_cast<std::size_t>(end - begin);
    ++number_;
    line = {begin, length};
    at_ += length + (end == nullptr ? 0 : 1);
    if (length > longest) fail("the line is too long (this is no text of a fabric tool); check which file it is");
    if (std::memchr(begin, '\0', length) != nullptr)
      fail("there is a zero byte in the line (the file is no text); check which file it is");
    line = trimmed(line);
    if (!is_message(line)) return true;
    if (skipped_.lines++ == 0) {
      skipped_.first = number_;
      skipped_.text = std::string(line.substr(0, 200));
    }
    searched = 0;
  }
}

void Words::skip_blanks() {
  while (!rest_.empty() && is_line_blank(rest_.front())) rest_.remove_prefix(1);
}

bool Words::take(char character) {
  if (rest_.empty() || rest_.front() != character) return false;
  rest_.remove_prefix(1);
  return true;
}

bool Words::take(std::string_view word) {
  if (!rest_.starts_with(word)) return false;
  rest_.remove_prefix(word.size());
  return true;
}

bool Words::decimal(u64& value) {
  const std::optional<u64> number = take_number<u64>(rest_);
  if (number) value = *number;
  return number.has_value();
}

bool Words::hexadecimal(u64& value) {
  std::string_view digits = rest_;
  if (digits.starts_with("0x") || digits.starts_with("0X")) digits.remove_prefix(2);
  const std::optional<u64> number = take_number<u64>(digits, 16);
  if (!number) return false;
  value = *number;
  rest_ = digits;
  return true;
}

bool Words::number(u64& value) {
  return rest_.starts_with("0x") || rest_.starts_with("0X") ? hexadecimal(value) : decimal(value);
}

bool Words::up_to(char character, std::string_view& text) {
  const std::size_t at = rest_.find(character);
  if (at == std::string_view::npos) return false;
  text = rest_.substr(0, at);
  rest_.remove_prefix(at + 1);
  return true;
}

std::string_view Words::word() {
  std::size_t length = 0;
  while (length < rest_.size() && !is_line_blank(rest_[length])) ++length;
  const std::string_view found = rest_.substr(0, length);
  rest_.remove_prefix(length);
  return found;
}

std::string whole_text(ByteSource& source, u64 most) {
  std::string text;
  for (;;) {
    constexpr std::size_t step = 1U << 18;
    const std::size_t before = text.size();
    text.resize(before + step);
    const std::size_t got = source.read(text.data() + before, step);
    text.resize(before + got);
    if (got == 0) return text;
    if (text.size() > most) {
      throw InputError(
          fmt::format("'{}' has more than {} MiB (no fabric of this form is that large); check which file it is",
                      source.name(), most >> 20));
    }
  }
}

}  // namespace weft::tools
