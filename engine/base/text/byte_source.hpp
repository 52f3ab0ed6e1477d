// Streams of bytes that trace readers pull from: plain, .xz, .gz or .zst files, told apart by their first bytes, not
// their names.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "engine/base/types.hpp"

namespace weft {

/// A stream of bytes read once from front to back.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Fills `to` with up to `room` bytes (room > 0) and returns how many; 0 only at the end. Throws InputError that
  /// names the file and the offset where it is damaged.
  virtual std::size_t read(char* to, std::size_t room) = 0;
  /// Passes over so many bytes, of files without reading them; how many there were, fewer only at the end. Throws as
  /// `read`.
  virtual u64 skip(u64 bytes);
  /// The file's name as errors show it.
  [[nodiscard]] virtual const std::string& name() const = 0;
  /// Lines of the file in front of the first byte, where the stream is not the file from its begin: for errors.
  [[nodiscard]] virtual u64 lines_before() const { return 0; }
};

/// Opens a file (or a pipe) and decompresses it if it begins like an xz, gzip or zstd stream.
/// Throws InputError: missing file, directory, no permission, a compression that is not read here.
[[nodiscard]] std::unique_ptr<ByteSource> open_bytes(const std::string& path);

/// Bytes from memory, as they are; `name` stands for the file name in errors.
[[nodiscard]] std::unique_ptr<ByteSource> bytes_in_memory(std::string bytes, std::string name);

/// `head` followed by the rest of `source`: gives back what was read ahead to recognise a format.
[[nodiscard]] std::unique_ptr<ByteSource> put_back(std::string head, std::unique_ptr<ByteSource> source);

/// Wraps `raw` in a decoder if its first bytes are the magic of xz, gzip or zstd; gives it back unchanged if not.
[[nodiscard]] std::unique_ptr<ByteSource> decompressed(std::unique_ptr<ByteSource> raw);

/// Whether a file that begins so, with compression_magic_bytes of it, is compressed.
[[nodiscard]] bool is_compressed(std::string_view head);
inline constexpr std::size_t compression_magic_bytes = 6;

/// Reads until `bytes` bytes are there or the source ends.
[[nodiscard]] std::string read_head(ByteSource& source, std::size_t bytes);

/// `text` between quotes for an error message: `shown` (engine/base/text/shown.hpp) in 40 characters.
[[nodiscard]] std::string quoted(const char* text, std::size_t length);

}  // namespace weft
