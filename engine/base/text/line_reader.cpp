// Buffering; see the header.
#include "engine/base/text/line_reader.hpp"

#include <cstring>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/text/words.hpp"

namespace weft {
namespace {

constexpr std::size_t line_buffer_bytes = 256 * 1024;
/// As much of a line as an error looks at.
constexpr std::size_t told_bytes = 4096;

}  // namespace

LineReader::LineReader(std::unique_ptr<ByteSource> source, std::size_t longest_line)
    : source_(std::move(source)), longest_line_(longest_line), buffer_(line_buffer_bytes) {}

void LineReader::limit(u64 bytes, const std::string& what) {
  most_ = bytes;
  limited_ = what;
}

/// Moves the unread rest to the front and appends more input; how much.
std::size_t LineReader::refill() {
  if (begin_ > 0) std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  if (end_ == buffer_.size()) buffer_.resize(2 * buffer_.size());
  const std::size_t got = source_->read(buffer_.data() + end_, buffer_.size() - end_);
  end_ += got;
  read_ += got;
  if (read_ <= most_) return got;
  throw InputError(fmt::format("'{}' has more than {} MiB (more than {} can have); check which file it is", name(),
                               most_ >> 20, limited_));
}

bool LineReader::next_whole(std::string_view& line) {
  std::size_t searched = 0;
  const void* end = nullptr;
  while ((end = std::memchr(buffer_.data() + begin_ + searched, '\n', end_ - begin_ - searched)) == nullptr) {
    searched = end_ - begin_;
    if (searched > longest_line_ || refill() == 0) break;
  }
  const char* const first = buffer_.data() + begin_;
  const std::size_t length =
      end != nullptr ? static_cast<std::size_t>(static_cast<const char*>(end) - first) : end_ - begin_;
  if (end == nullptr && length == 0) return false;
  ++number_;
  line = {first, length};
  if (length > longest_line_)
    reject(fmt::format("line is longer than {} bytes", longest_line_), line.substr(0, told_bytes), "shorter lines");
  begin_ += length + (end != nullptr ? 1 : 0);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return true;
}

bool LineReader::next(std::string_view& line) {
  if (!next_whole(line)) return false;
  if (!line.empty() && std::memchr(line.data(), 0, line.size()) != nullptr)
    reject("NUL byte in a line", line.substr(0, told_bytes), "text");
  line = trimmed(line);
  return true;
}

bool LineReader::next_but(std::string_view comments, std::string_view& line) {
  for (u64 idle = 0; next(line); ++idle) {
    if (!line.empty() && comments.find(line.front()) == std::string_view::npos) return true;
    if (idle == most_idle_lines)
      reject(fmt::format("more than {} empty or comment lines in a row", most_idle_lines), line, "numbers");
  }
  return false;
}

}  // namespace weft
