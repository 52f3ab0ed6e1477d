// Buffering, and words of a line; see the header.
#include "engine/base/text/text_lines.hpp"

#include <cstring>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/text/words.hpp"

namespace weft {
namespace {

constexpr std::size_t line_buffer_bytes = 256 * 1024;

}  // namespace

TextLines::TextLines(std::unique_ptr<ByteSource> source, std::size_t longest_line)
    : source_(std::move(source)), longest_line_(longest_line), buffer_(line_buffer_bytes) {}

bool TextLines::next(std::string_view& line) {
  std::size_t searched = 0;
  const void* end = nullptr;
  while ((end = std::memchr(buffer_.data() + begin_ + searched, '\n', end_ - begin_ - searched)) == nullptr) {
    searched = end_ - begin_;
    if (searched > longest_line_) break;
    if (begin_ > 0) std::memmove(buffer_.data(), buffer_.data() + begin_, searched);
    begin_ = 0;
    end_ = searched;
    if (end_ == buffer_.size()) buffer_.resize(2 * buffer_.size());
    const std::size_t got = source_->read(buffer_.data() + end_, buffer_.size() - end_);
    if (got == 0) break;
    end_ += got;
  }
  const char* const first = buffer_.data() + begin_;
  const std::size_t length =
      end != nullptr ? static_cast<std::size_t>(static_cast<const char*>(end) - first) : end_ - begin_;
  if (end == nullptr && length == 0) return false;
  ++number_;
  line = {first, length};
  if (length > longest_line_)
    reject(fmt::format("line of more than {} bytes", longest_line_), line.substr(0, 4096), "shorter lines");
  if (std::memchr(first, 0, length) != nullptr) reject("NUL byte in a line", line.substr(0, 4096), "text");
  begin_ += length + (end != nullptr ? 1 : 0);
  line = trimmed(line);
  return true;
}

bool TextLines::next_but(std::string_view comments, std::string_view& line) {
  for (u64 idle = 0; next(line); ++idle) {
    if (!line.empty() && comments.find(line.front()) == std::string_view::npos) return true;
    if (idle == most_idle_lines)
      reject(fmt::format("more than {} empty or comment lines in a row", most_idle_lines), line, "numbers");
  }
  return false;
}

void TextLines::reject(const std::string& problem, std::string_view got, const std::string& expected) const {
  throw InputError(fmt::format("{}:{}: {} (got {}); expected {}", name(), number_, problem,
                               quoted(got.data(), got.size()), expected));
}

std::string_view next_word(std::string_view& line) {
  line = trimmed(line);
  std::size_t length = 0;
  while (length < line.size() && !is_line_blank(line[length])) ++length;
  const std::string_view word = line.substr(0, length);
  line.remove_prefix(length);
  return word;
}

bool whole_number(std::string_view word, u64 most, u64& number) {
  if (word.empty()) return false;
  number = 0;
  for (const char digit : word) {
    if (digit < '0' || digit > '9') return false;
    const auto value = static_cast<u64>(digit - '0');
    if (number > (most - value) / 10) return false;
    number = number * 10 + value;
  }
  return number <= most;
}

}  // namespace weft
