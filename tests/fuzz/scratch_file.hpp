// Bytes as a file with a path, for readers that open files by themselves.
#pragma once

#include <cstddef>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <unistd.h>

#include "tests/fuzz/known_leaks.hpp"

namespace weft::fuzz {

/// A file of this process, in memory where the system has a place for that; gone with this object. (One without a name
/// would be gone after a crash too, but HDF5 wants a path that can be resolved.)
class ScratchFile {
 public:
  ScratchFile(const unsigned char* data, std::size_t bytes) {
    std::error_code none;
    const bool shm = std::filesystem::is_directory("/dev/shm", none);
    path_ = (shm ? "/dev/shm" : std::filesystem::temp_directory_path().string()) + "/weft-fuzz-XXXXXX";
    const int file = ::mkstemp(path_.data());
    if (file < 0) throw std::runtime_error("no scratch file");
    const bool whole = ::write(file, data, bytes) == static_cast<ssize_t>(bytes);
    ::close(file);
    if (!whole) throw std::runtime_error("no room for a scratch file");
  }
  ~ScratchFile() { ::unlink(path_.c_str()); }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace weft::fuzz
