// A file of messages, each behind its length.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/text/byte_source.hpp"
#include "engine/base/types.hpp"

namespace weft::workloads {

/// Reads once from front to back; memory is that of the longest message. Errors are InputError "FILE: byte OFFSET:
/// problem (got ...); expected ...".
class MessageStream {
 public:
  /// Longest message in bytes; names and lists of tensors of PyTorch's nodes take some kilobytes.
  static constexpr u64 most_message_bytes = u64{64} << 20;

  explicit MessageStream(std::unique_ptr<ByteSource> source);
  /// The next message, valid until the next call; false at the end of the file.
  [[nodiscard]] bool next(std::string_view& message);
  /// Where the last message begins, in bytes.
  [[nodiscard]] u64 offset() const { return offset_; }
  [[nodiscard]] const std::string& name() const { return source_->name(); }
  [[noreturn]] void reject(const std::string& problem, const std::string& got, const std::string& expected) const;

 private:
  [[nodiscard]] bool fill(std::size_t wanted);

  std::unique_ptr<ByteSource> source_;
  std::vector<char> buffer_;
  std::size_t at_ = 0, end_ = 0;  ///< what is unread is buffer_[at_, end_)
  u64 passed_ = 0;                ///< bytes before the buffer
  u64 offset_ = 0;
};

}  // namespace weft::workloads
