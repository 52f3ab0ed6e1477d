// A data file of a store: written once from front to back, then read anywhere; with a name, or without one.
#pragma once

#include <string>
#include <vector>

#include "engine/types.hpp"

namespace weft::workloads {

/// Throws SystemError where the disk is full or broken, InputError where a file is shorter than it was.
class StoreFile {
 public:
  /// A new file. An empty path: one without a name in TMPDIR (default /tmp), which is gone with the process.
  [[nodiscard]] static StoreFile create(const std::string& path);
  [[nodiscard]] static StoreFile open(const std::string& path);
  StoreFile(StoreFile&& other) noexcept;
  StoreFile& operator=(StoreFile&&) = delete;
  ~StoreFile();

  /// Where it begins.
  u64 append(const u8* bytes, std::size_t count);
  /// All of it is in the file (and, of one with a name, on the disk) afterwards.
  void flush();
  [[nodiscard]] u64 bytes() const { return bytes_; }
  void read(u64 offset, u8* to, std::size_t count) const;

 private:
  StoreFile(int descriptor, std::string path) : path_(std::move(path)), descriptor_(descriptor) {}
  void write_staged();
  [[noreturn]] void fail(const char* action) const;

  std::string path_;
  int descriptor_ = -1;
  u64 bytes_ = 0;  ///< staged ones too
  std::vector<u8> staged_;
};

}  // namespace weft::workloads
