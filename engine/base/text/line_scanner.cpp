// Pieces of lines; see the header.
#include "engine/base/text/line_scanner.hpp"

#include "engine/base/text/parsed.hpp"

namespace weft {

void LineScanner::skip_blanks() {
  while (!rest_.empty() && is_line_blank(rest_.front())) rest_.remove_prefix(1);
}

bool LineScanner::take(char character) {
  if (rest_.empty() || rest_.front() != character) return false;
  rest_.remove_prefix(1);
  return true;
}

bool LineScanner::take(std::string_view word) {
  if (!rest_.starts_with(word)) return false;
  rest_.remove_prefix(word.size());
  return true;
}

bool LineScanner::decimal(u64& value) {
  const std::optional<u64> number = take_number<u64>(rest_);
  if (number) value = *number;
  return number.has_value();
}

bool LineScanner::hexadecimal(u64& value) {
  std::string_view digits = rest_;
  if (digits.starts_with("0x") || digits.starts_with("0X")) digits.remove_prefix(2);
  const std::optional<u64> number = take_number<u64>(digits, 16);
  if (!number) return false;
  value = *number;
  rest_ = digits;
  return true;
}

bool LineScanner::number(u64& value) {
  return rest_.starts_with("0x") || rest_.starts_with("0X") ? hexadecimal(value) : decimal(value);
}

bool LineScanner::up_to(char character, std::string_view& text) {
  const std::size_t at = rest_.find(character);
  if (at == std::string_view::npos) return false;
  text = rest_.substr(0, at);
  rest_.remove_prefix(at + 1);
  return true;
}

std::string_view LineScanner::word() {
  const std::string_view found = rest_.substr(0, rest_.find_first_of(line_blanks));
  rest_.remove_prefix(found.size());
  return found;
}

std::string_view next_word(std::string_view& line) {
  LineScanner scanner(line);
  scanner.skip_blanks();
  const std::string_view word = scanner.word();
  line = scanner.rest();
  return word;
}

bool whole_number(std::string_view word, u64 most, u64& number) {
  if (word.empty() || word.find_first_not_of("0123456789") != std::string_view::npos) return false;
  return read_number(word, number) && number <= most;
}

void split_words(std::string_view text, std::string_view separators, std::vector<std::string_view>& fields) {
  fields.clear();
  for (;;) {
    const std::size_t begin = text.find_first_not_of(separators);
    if (begin == std::string_view::npos) return;
    text.remove_prefix(begin);
    fields.push_back(text.substr(0, text.find_first_of(separators)));
    text.remove_prefix(fields.back().size());
  }
}

void split_at(std::string_view text, char separator, std::vector<std::string_view>& fields) {
  fields.clear();
  for (;;) {
    const std::size_t end = text.find(separator);
    fields.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

}  // namespace weft
