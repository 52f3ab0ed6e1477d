// A temporary file for what is larger than memory should be: written from front to back, then read anywhere or mapped.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/types.hpp"

namespace weft::workloads {

/// An unlinked file in TMPDIR (default /tmp), which is gone with the process, however that ends. What fails is a
/// SystemError that names `what` ("trace") and the folder.
class SpoolFile {
 public:
  explicit SpoolFile(std::string what);
  ~SpoolFile();
  SpoolFile(const SpoolFile&) = delete;
  SpoolFile& operator=(const SpoolFile&) = delete;

  /// Appends; in blocks, so that what was written is in the file only after `flush`, which comes once, at the end.
  void write(const u8* bytes, std::size_t count);
  void flush();
  [[nodiscard]] u64 bytes() const { return bytes_; }
  /// Of what was flushed, from any thread.
  void read(u64 offset, u8* to, std::size_t count) const;
  /// All of it (not empty, flushed), to read and to write: what is changed is changed in the file, and need not stay in
  /// memory. Once.
  [[nodiscard]] std::span<u8> map();

 private:
  void write_staged();
  void write_through(const u8* bytes, std::size_t count);
  [[noreturn]] void fail(const char* action) const;

  std::string what_;
  int descriptor_ = -1;
  u64 bytes_ = 0;  ///< staged ones too
  std::vector<u8> staged_;
  std::span<u8> mapped_;
};

}  // namespace weft::workloads
