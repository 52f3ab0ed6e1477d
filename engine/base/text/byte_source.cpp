// Plain, xz, gzip and zstd byte streams; see the header.
#include "engine/base/text/byte_source.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <lzma.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>
#include <zlib.h>
#include <zstd.h>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/text_file.hpp"
#include "engine/base/types.hpp"

namespace weft {
namespace {

constexpr std::size_t compressed_chunk_bytes = 256 * 1024;
constexpr u64 skipped_chunk_bytes = 64 * 1024;
constexpr std::size_t least_head_room = 64 * 1024;
// A hostile header can ask for a dictionary of 4 GiB; no compression level of xz or zstd needs more than this.
constexpr u64 decoder_memory_bytes = u64{1} << 30;
constexpr int zstd_window_log = 30;

class FileSource : public ByteSource {
 public:
  explicit FileSource(const std::string& path) : name_(shown(path)) {
    descriptor_ = open_to_read(path);
    if (descriptor_ < 0) {
      const char* const advice = errno == ENXIO ? "start what writes to it first" : "give the path of a readable file";
      throw InputError(fmt::format("cannot open '{}' ({}); {}", name_, open_problem(errno), advice));
    }
    struct stat facts {};
    if (::fstat(descriptor_, &facts) == 0 && S_ISDIR(facts.st_mode)) {
      ::close(descriptor_);
      throw InputError(fmt::format("cannot read '{}' (it is a directory); give the path of a file in it", name_));
    }
  }
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;
  ~FileSource() override { ::close(descriptor_); }

  std::size_t read(char* to, std::size_t room) override {
    for (;;) {
      const ssize_t got = ::read(descriptor_, to, room);
      if (got >= 0) {
        offset_ += static_cast<u64>(got);
        return static_cast<std::size_t>(got);
      }
      if (errno != EINTR) {
        throw InputError(fmt::format("cannot read '{}' at byte {} ({}); check the file and its file system", name_,
                                     offset_, std::strerror(errno)));
      }
    }
  }
  u64 skip(u64 bytes) override {
    struct stat facts {};
    if (::fstat(descriptor_, &facts) != 0 || !S_ISREG(facts.st_mode)) return ByteSource::skip(bytes);
    const u64 length = static_cast<u64>(std::max<off_t>(facts.st_size, 0));
    const u64 passed = std::min(bytes, length - std::min(length, offset_));
    if (::lseek(descriptor_, static_cast<off_t>(offset_ + passed), SEEK_SET) < 0) return ByteSource::skip(bytes);
    offset_ += passed;
    return passed;
  }
  [[nodiscard]] const std::string& name() const override { return name_; }

 private:
  std::string name_;
  int descriptor_ = -1;
  u64 offset_ = 0;
};

class MemorySource : public ByteSource {
 public:
  MemorySource(std::string bytes, std::string name) : bytes_(std::move(bytes)), name_(std::move(name)) {}
  std::size_t read(char* to, std::size_t room) override {
    const std::size_t count = std::min(room, bytes_.size() - at_);
    std::memcpy(to, bytes_.data() + at_, count);
    at_ += count;
    return count;
  }
  [[nodiscard]] const std::string& name() const override { return name_; }

 private:
  std::string bytes_;
  std::string name_;
  std::size_t at_ = 0;
};

class PutBackSource : public ByteSource {
 public:
  PutBackSource(std::string head, std::unique_ptr<ByteSource> rest) : head_(std::move(head)), rest_(std::move(rest)) {}
  std::size_t read(char* to, std::size_t room) override {
    if (at_ == head_.size()) return rest_->read(to, room);
    const std::size_t count = std::min(room, head_.size() - at_);
    std::memcpy(to, head_.data() + at_, count);
    at_ += count;
    if (at_ == head_.size()) {
      head_ = {};
      at_ = 0;
    }
    return count;
  }
  u64 skip(u64 bytes) override {
    const u64 of_head = std::min<u64>(bytes, head_.size() - at_);
    at_ += of_head;
    return of_head + (bytes > of_head ? rest_->skip(bytes - of_head) : 0);
  }
  [[nodiscard]] const std::string& name() const override { return rest_->name(); }

 private:
  std::string head_;
  std::unique_ptr<ByteSource> rest_;
  std::size_t at_ = 0;
};

/// What the decoders share: the compressed input, its offset and their errors.
class DecoderSource : public ByteSource {
 public:
  explicit DecoderSource(std::unique_ptr<ByteSource> raw) : raw_(std::move(raw)), chunk_(compressed_chunk_bytes) {}
  [[nodiscard]] const std::string& name() const override { return raw_->name(); }

 protected:
  /// The next piece of compressed input; empty at its end.
  std::string_view refill() {
    const std::size_t got = raw_->read(chunk_.data(), chunk_.size());
    consumed_ += got;
    at_end_ = got == 0;
    return {chunk_.data(), got};
  }
  [[nodiscard]] bool at_end() const { return at_end_; }
  [[noreturn]] void damaged(const char* kind, const std::string& reason, std::size_t unread) const {
    throw InputError(fmt::format("'{}' is damaged at compressed byte {} ({}: {}); fetch or compress the file again",
                                 name(), consumed_ - unread, kind, reason));
  }
  [[noreturn]] void truncated(const char* kind) const {
    throw InputError(
        fmt::format("'{}' is truncated ({} data end after {} bytes in the middle of a stream); fetch the file again",
                    name(), kind, consumed_));
  }

 private:
  std::unique_ptr<ByteSource> raw_;
  std::vector<char> chunk_;
  u64 consumed_ = 0;
  bool at_end_ = false;
};

class XzSource : public DecoderSource {
 public:
  explicit XzSource(std::unique_ptr<ByteSource> raw) : DecoderSource(std::move(raw)) {
    if (lzma_stream_decoder(&stream_, decoder_memory_bytes, LZMA_CONCATENATED) != LZMA_OK) {
      throw SystemError("cannot start the xz decoder (out of memory); free some memory");
    }
  }
  XzSource(const XzSource&) = delete;
  XzSource& operator=(const XzSource&) = delete;
  ~XzSource() override { lzma_end(&stream_); }

  std::size_t read(char* to, std::size_t room) override {
    stream_.next_out = reinterpret_cast<std::uint8_t*>(to);
    stream_.avail_out = room;
    while (!done_ && stream_.avail_out == room) {
      if (stream_.avail_in == 0 && !at_end()) {
        const std::string_view more = refill();
        stream_.next_in = reinterpret_cast<const std::uint8_t*>(more.data());
        stream_.avail_in = more.size();
      }
      step(lzma_code(&stream_, at_end() ? LZMA_FINISH : LZMA_RUN));
    }
    return room - stream_.avail_out;
  }

 private:
  void step(lzma_ret result) {
    switch (result) {
      case LZMA_OK:
        return;
      case LZMA_STREAM_END:
        done_ = true;
        return;
      case LZMA_BUF_ERROR:
        // Without input this only asks for more; at the end of the file it means that the stream is not complete.
        if (at_end()) truncated("xz");
        return;
      case LZMA_MEMLIMIT_ERROR:
        damaged("xz", "its dictionary needs more than 1 GiB", stream_.avail_in);
      case LZMA_OPTIONS_ERROR:
        damaged("xz", "unknown filter or option", stream_.avail_in);
      case LZMA_MEM_ERROR:
        throw SystemError(fmt::format("out of memory while decompressing '{}'; free some memory", name()));
      default:
        damaged("xz", "corrupt data", stream_.avail_in);
    }
  }
  lzma_stream stream_ = LZMA_STREAM_INIT;
  bool done_ = false;
};

class ZstdSource : public DecoderSource {
 public:
  explicit ZstdSource(std::unique_ptr<ByteSource> raw) : DecoderSource(std::move(raw)), stream_(ZSTD_createDStream()) {
    if (stream_ == nullptr) throw SystemError("cannot start the zstd decoder (out of memory); free some memory");
    ZSTD_DCtx_setParameter(stream_, ZSTD_d_windowLogMax, zstd_window_log);
  }
  ZstdSource(const ZstdSource&) = delete;
  ZstdSource& operator=(const ZstdSource&) = delete;
  ~ZstdSource() override { ZSTD_freeDStream(stream_); }

  std::size_t read(char* to, std::size_t room) override {
    ZSTD_outBuffer out{to, room, 0};
    while (out.pos == 0) {
      if (in_.pos == in_.size && !at_end()) {
        const std::string_view more = refill();
        in_ = {more.data(), more.size(), 0};
      }
      if (at_end() && frame_complete_) return 0;
      const std::size_t result = ZSTD_decompressStream(stream_, &out, &in_);
      if (ZSTD_isError(result) != 0) damaged("zstd", ZSTD_getErrorName(result), in_.size - in_.pos);
      frame_complete_ = result == 0;
      if (at_end() && out.pos == 0 && !frame_complete_) truncated("zstd");
    }
    return out.pos;
  }

 private:
  ZSTD_DStream* stream_;
  ZSTD_inBuffer in_{nullptr, 0, 0};
  bool frame_complete_ = true;
};

class GzipSource : public DecoderSource {
 public:
  explicit GzipSource(std::unique_ptr<ByteSource> raw) : DecoderSource(std::move(raw)) {
    constexpr int gzip_only = 16;
    if (inflateInit2(&stream_, MAX_WBITS + gzip_only) != Z_OK)
      throw SystemError("cannot start the gzip decoder (out of memory); free some memory");
  }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;
  ~GzipSource() override { inflateEnd(&stream_); }

  std::size_t read(char* to, std::size_t room) override {
    const uInt wanted = static_cast<uInt>(std::min<std::size_t>(room, 1U << 30));
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    stream_.avail_out = wanted;
    while (stream_.avail_out == wanted) {
      if (stream_.avail_in == 0 && !at_end()) {
        const std::string_view more = refill();
        stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(more.data()));
        stream_.avail_in = static_cast<uInt>(more.size());
      }
      if (stream_.avail_in == 0 && between_members_) break;
      if (between_members_) inflateReset(&stream_);  // files may be gzip streams one behind the other
      const int result = inflate(&stream_, Z_NO_FLUSH);
      between_members_ = result == Z_STREAM_END;
      if (result == Z_BUF_ERROR && at_end()) truncated("gzip");
      if (result == Z_MEM_ERROR)
        throw SystemError(fmt::format("out of memory while decompressing '{}'; free some memory", name()));
      if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
        damaged("gzip", stream_.msg != nullptr ? stream_.msg : "corrupt data", stream_.avail_in);
    }
    return wanted - stream_.avail_out;
  }

 private:
  z_stream stream_{};
  bool between_members_ = false;
};

bool is_zstd(std::string_view head) {
  if (head.starts_with("\x28\xB5\x2F\xFD")) return true;
  // A skippable frame, which zstd allows in front of the first real one.
  return head.size() >= 4 && (static_cast<u8>(head[0]) & 0xF0) == 0x50 && head.substr(1, 3) == "\x2A\x4D\x18";
}

}  // namespace

std::unique_ptr<ByteSource> open_bytes(const std::string& path) {
  return decompressed(std::make_unique<FileSource>(path));
}

std::unique_ptr<ByteSource> bytes_in_memory(std::string bytes, std::string name) {
  return std::make_unique<MemorySource>(std::move(bytes), std::move(name));
}

std::unique_ptr<ByteSource> put_back(std::string head, std::unique_ptr<ByteSource> source) {
  if (head.empty()) return source;
  return std::make_unique<PutBackSource>(std::move(head), std::move(source));
}

namespace {

using namespace std::string_view_literals;

bool is_xz(std::string_view head) {
  return head.starts_with(
      "\xFD"
      "7zXZ\0"sv);
}
bool is_gzip(std::string_view head) { return head.starts_with("\x1F\x8B"); }
bool is_bzip2(std::string_view head) { return head.starts_with("BZh"); }

}  // namespace

bool is_compressed(std::string_view head) { return is_xz(head) || is_zstd(head) || is_gzip(head) || is_bzip2(head); }

std::unique_ptr<ByteSource> decompressed(std::unique_ptr<ByteSource> raw) {
  const std::string head = read_head(*raw, compression_magic_bytes);
  if (is_bzip2(head)) {
    throw InputError(
        fmt::format("'{}' is compressed with bzip2 (not read here); compress it with xz or zstd", raw->name()));
  }
  auto whole = put_back(head, std::move(raw));
  if (is_xz(head)) return std::make_unique<XzSource>(std::move(whole));
  if (is_zstd(head)) return std::make_unique<ZstdSource>(std::move(whole));
  if (is_gzip(head)) return std::make_unique<GzipSource>(std::move(whole));
  return whole;
}

u64 ByteSource::skip(u64 bytes) {
  std::vector<char> passed(std::min<u64>(bytes, skipped_chunk_bytes));
  u64 left = bytes;
  while (left > 0) {
    const std::size_t got = read(passed.data(), std::min<u64>(left, passed.size()));
    if (got == 0) break;
    left -= got;
  }
  return bytes - left;
}

std::string read_head(ByteSource& source, std::size_t bytes) {
  // `bytes` is often a bound far above what is there: room grows with what has come.
  std::string head;
  std::size_t filled = 0;
  while (filled < bytes) {
    if (filled == head.size()) head.resize(std::min(bytes, std::max(least_head_room, 2 * filled)));
    const std::size_t got = source.read(head.data() + filled, head.size() - filled);
    if (got == 0) break;
    filled += got;
  }
  head.resize(filled);
  return head;
}

std::string quoted(const char* text, std::size_t length) { return fmt::format("'{}'", shown({text, length}, 40)); }

}  // namespace weft
