// A file for what is larger than memory should be: written once from front to back, then read anywhere, or mapped; with
// a name, or temporary.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/base/types.hpp"

namespace weft::workloads {

/// Throws SystemError where the disk is full or broken, InputError where a file is shorter than it was.
class StoreFile {
 public:
  /// A new file.
  [[nodiscard]] static StoreFile create(const std::string& path);
  [[nodiscard]] static StoreFile open(const std::string& path);
  /// One without a name in TMPDIR (default /tmp), which is gone with the process, however that ends. Errors call it a
  /// temporary `what` file: "trace".
  [[nodiscard]] static StoreFile temporary(const std::string& what);
  StoreFile(StoreFile&& other) noexcept;
  StoreFile& operator=(StoreFile&&) = delete;
  ~StoreFile();

  /// Where it begins. What was appended is in the file only after `flush`.
  u64 append(const u8* bytes, std::size_t count);
  /// All of it is in the file (and, of one with a name, on the disk) afterwards. Once, at the end.
  void flush();
  [[nodiscard]] u64 bytes() const { return bytes_; }
  /// Reads what is in the file, from any thread.
  void read(u64 offset, u8* to, std::size_t count) const;
  /// All of it (not empty, flushed), to read and to write: what is changed is changed in the file, and need not stay in
  /// memory. Once.
  [[nodiscard]] std::span<u8> map();

 private:
  StoreFile(int descriptor, std::string path, std::string what);
  void write_staged();
  void write_through(const u8* bytes, std::size_t count) const;
  [[noreturn]] void fail(const char* action) const;

  std::string path_, what_;  ///< path_: empty if it is temporary
  int descriptor_ = -1;
  u64 bytes_ = 0;  ///< staged ones too
  std::vector<u8> staged_;
  std::span<u8> mapped_;
};

}  // namespace weft::workloads
