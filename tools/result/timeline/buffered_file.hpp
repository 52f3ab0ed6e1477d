// An output file that is written in large pieces.
#pragma once

#include <string>
#include <string_view>

#include "engine/base/file/atomic_file.hpp"

namespace weft::tools::timeline {

class BufferedFile {
 public:
  explicit BufferedFile(const std::string& path) : file_(path, files::Streams::allowed) {}
  void write(std::string_view text) {
    buffer_ += text;
    if (buffer_.size() >= most_bytes) flush();
  }
  void commit() {
    flush();
    file_.commit();
  }

 private:
  static constexpr std::size_t most_bytes = std::size_t{1} << 20;
  void flush() {
    file_.write(buffer_);
    buffer_.clear();
  }
  files::AtomicFile file_;
  std::string buffer_;
};

}  // namespace weft::tools::timeline
