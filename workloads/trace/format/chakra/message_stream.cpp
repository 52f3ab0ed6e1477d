// Messages behind their lengths; see the header.
#include "workloads/trace/format/chakra/message_stream.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

#include "engine/base/error.hpp"

namespace weft::workloads {
namespace {

constexpr std::size_t message_buffer_bytes = 64 * 1024;

}  // namespace

MessageStream::MessageStream(std::unique_ptr<ByteSource> source)
    : source_(std::move(source)), buffer_(message_buffer_bytes) {}

bool MessageStream::next(std::string_view& message) {
  offset_ = passed_ + at_;
  if (!fill(1)) return false;
  u64 length = 0;
  for (u32 shift = 0;; shift += 7) {
    if (!fill(1)) reject("the file ends in the length of a message", "nothing", "the rest of it");
    const u64 byte = static_cast<u8>(buffer_[at_++]);
    if (shift > 28) reject("the length of a message is none", "more than 5 bytes", "a number of up to 5 bytes");
    length |= (byte & 0x7F) << shift;
    if (byte < 0x80) break;
  }
  if (length > most_message_bytes)
    reject("a message is too long", fmt::format("{} bytes", length), fmt::format("{} at most", most_message_bytes));
  if (!fill(static_cast<std::size_t>(length)))
    reject("the file ends in a message", fmt::format("{} of {} bytes", end_ - at_, length), "the rest of it");
  message = {buffer_.data() + at_, static_cast<std::size_t>(length)};
  at_ += static_cast<std::size_t>(length);
  return true;
}

/// As many unread bytes, if there are so many; takes memory for those that are there only.
bool MessageStream::fill(std::size_t wanted) {
  if (end_ - at_ >= wanted) return true;
  std::memmove(buffer_.data(), buffer_.data() + at_, end_ - at_);
  passed_ += at_;
  end_ -= at_;
  at_ = 0;
  while (end_ < wanted) {
    if (end_ == buffer_.size()) buffer_.resize(2 * buffer_.size());
    const std::size_t got = source_->read(buffer_.data() + end_, buffer_.size() - end_);
    if (got == 0) return false;
    end_ += got;
  }
  return true;
}

void MessageStream::reject(const std::string& problem, const std::string& got, const std::string& expected) const {
  throw InputError(
      fmt::format("{}: byte {}: {} (got {}); expected {}", source_->name(), offset_, problem, got, expected));
}

}  // namespace weft::workloads
