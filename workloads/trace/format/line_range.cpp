// Parts of text files; see the header.
#include "workloads/trace/format/line_range.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"

namespace weft::workloads {
namespace {

constexpr std::size_t searched_bytes = 64 * 1024;

/// A file from one offset to another, without seeking.
class RangeSource final : public ByteSource {
 public:
  RangeSource(const std::string& path, u64 begin, u64 end)
      : path_(path), name_(shown(path)), begin_(begin), at_(begin), end_(end) {
    descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail();
  }
  RangeSource(const RangeSource&) = delete;
  RangeSource& operator=(const RangeSource&) = delete;
  ~RangeSource() override { ::close(descriptor_); }

  std::size_t read(char* to, std::size_t room) override {
    room = static_cast<std::size_t>(std::min<u64>(room, end_ - at_));
    while (room > 0) {
      const ssize_t got = ::pread(descriptor_, to, room, static_cast<off_t>(at_));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail();
      at_ += static_cast<u64>(got);
      return static_cast<std::size_t>(got);
    }
    return 0;
  }
  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] u64 lines_before() const override {
    if (begin_ == 0) return 0;
    RangeSource source(path_, 0, begin_);
    std::string piece(searched_bytes, ' ');
    u64 lines = 0;
    while (const std::size_t got = source.read(piece.data(), piece.size()))
      lines += static_cast<u64>(std::count(piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(got), '\n'));
    return lines;
  }

 private:
  [[noreturn]] void fail() const {
    throw InputError(fmt::format("cannot read '{}' at byte {} ({}); check the file and its file system", name_, at_,
                                 std::strerror(errno)));
  }
  std::string path_, name_;
  u64 begin_, at_, end_;
  int descriptor_ = -1;
};

/// Where the first line begins that begins at `offset` or behind it, in a file of `bytes` bytes.
u64 line_from(const std::string& path, u64 offset, u64 bytes) {
  if (offset == 0 || offset >= bytes) return std::min(offset, bytes);
  RangeSource source(path, offset - 1, bytes);
  std::string piece(searched_bytes, ' ');
  for (u64 at = offset - 1; at < bytes;) {
    const std::size_t got = source.read(piece.data(), piece.size());
    if (got == 0) break;
    const std::size_t end = std::string_view(piece.data(), got).find('\n');
    if (end != std::string_view::npos) return at + end + 1;
    at += got;
  }
  return bytes;
}

}  // namespace

LineRanges::LineRanges(const TraceInput& input, u64 part_bytes) : path_(input.files[0]), part_bytes_(part_bytes) {
  if (!input.is_file()) return;
  std::error_code error;
  const auto size = std::filesystem::file_size(path_, error);
  if (error) return;
  bytes_ = size;
  if (bytes_ < 2 * part_bytes) return;
  RangeSource source(path_, 0, bytes_);
  char magic[compression_magic_bytes] = {};
  if (source.read(magic, sizeof magic) != sizeof magic || is_compressed({magic, sizeof magic})) return;
  parts_ = static_cast<u32>(std::min<u64>(bytes_ / part_bytes, 1U << 20));
}

std::unique_ptr<ByteSource> LineRanges::open(u32 part) const {
  const u64 share = bytes_ / parts_;
  const u64 begin = line_from(path_, part * share, bytes_);
  const u64 end = part + 1 == parts_ ? bytes_ : line_from(path_, (part + u64{1}) * share, bytes_);
  return std::make_unique<RangeSource>(path_, begin, std::max(begin, end));
}

u64 LineRanges::lines_before(u32 part) const { return parts_ == 1 || part == 0 ? 0 : open(part)->lines_before(); }

}  // namespace weft::workloads
