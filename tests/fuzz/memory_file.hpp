// Bytes as a file with a path, for readers that open files by themselves.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace weft::fuzz {

/// A file that lies in memory and is gone with this object.
class MemoryFile {
 public:
  MemoryFile(const unsigned char* data, std::size_t bytes) : file_(::memfd_create("fuzz", MFD_CLOEXEC)) {
    if (file_ < 0 || ::write(file_, data, bytes) != static_cast<ssize_t>(bytes))
      throw std::runtime_error("no file in memory");
  }
  ~MemoryFile() { ::close(file_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }

 private:
  int file_;
};

}  // namespace weft::fuzz
