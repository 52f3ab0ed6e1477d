// Sections and calls of a DUMPI file; see the header. All numbers are big-endian.
#include "workloads/trace/format/dumpi/dumpi_file.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <fstream>

#include "engine/base/error.hpp"

namespace weft::workloads {
namespace {

constexpr std::size_t dumpi_buffer_bytes = 64 * 1024;
/// Sections are looked for in the last bytes of a file, which also may be compressed.
constexpr std::size_t dumpi_tail_bytes = std::size_t{8} << 20;
/// Sections are looked for in so many last bytes of a file that is not compressed.
constexpr std::size_t dumpi_plain_tail_bytes = std::size_t{1} << 20;
constexpr u64 dumpi_footer_magic = 0xF007'FEE7;
constexpr std::size_t dumpi_footer_calls = 291;
constexpr u64 dumpi_wrap_s = 65536;

u64 big_endian(const u8* from, std::size_t bytes) {
  u64 value = 0;
  for (std::size_t i = 0; i < bytes; ++i) value = value << 8 | from[i];
  return value;
}

/// The last bytes of a file.
class DumpiTail {
 public:
  DumpiTail(const std::string& name, const std::string& path, const std::function<std::unique_ptr<ByteSource>()>& open)
      : name_(name) {
    if (!path.empty() && read_end(path)) return;
    const auto source = open();
    std::string piece(std::size_t{1} << 20, '\0');
    while (const std::size_t got = source->read(piece.data(), piece.size())) {
      begin_.append(piece, 0, std::min(got, dumpi_magic.size() - begin_.size()));
      bytes_ += got;
      tail_.append(piece, 0, got);
      if (tail_.size() > 2 * dumpi_tail_bytes) tail_.erase(0, tail_.size() - dumpi_tail_bytes);
    }
  }
  [[nodiscard]] u64 bytes() const { return bytes_; }
  [[nodiscard]] const std::string& begin() const { return begin_; }
  /// `count` bytes at an offset.
  [[nodiscard]] const u8* at(u64 offset, u64 count, const char* what) const {
    const u64 first = bytes_ - tail_.size();
    if (offset > bytes_ || count > bytes_ - offset)
      fail(offset, fmt::format("{} is beyond the end of the file (got {} bytes)", what, bytes_), "the whole file");
    if (offset < first)
      fail(offset, fmt::format("{} is not among the last {} bytes", what, tail_.size()), "sections behind the calls");
    return reinterpret_cast<const u8*>(tail_.data()) + (offset - first);
  }
  [[noreturn]] void fail(u64 offset, const std::string& problem, const std::string& expected) const {
    throw InputError(fmt::format("{}: byte {}: {}; expected {}", name_, offset, problem, expected));
  }

 private:
  /// Reads the end of a plain file; false if it is compressed, or none.
  bool read_end(const std::string& path) {
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    if (!file) return false;
    const u64 bytes = static_cast<u64>(file.tellg());
    std::string head(std::min<u64>(bytes, dumpi_magic.size()), '\0');
    file.seekg(0).read(head.data(), static_cast<std::streamsize>(head.size()));
    if (!file || is_compressed(head)) return false;
    tail_.resize(std::min<u64>(bytes, dumpi_plain_tail_bytes));
    file.seekg(-static_cast<std::streamoff>(tail_.size()), std::ios::end);
    file.read(tail_.data(), static_cast<std::streamsize>(tail_.size()));
    if (!file) return false;
    begin_ = std::move(head);
    bytes_ = bytes;
    return true;
  }
  const std::string& name_;
  std::string begin_, tail_;
  u64 bytes_ = 0;
};

}  // namespace

DumpiFile DumpiFile::read(const std::string& name, const std::string& path,
                          std::function<std::unique_ptr<ByteSource>()> open) {
  DumpiFile file;
  file.name = name;
  file.open = std::move(open);
  const DumpiTail tail(file.name, path, file.open);
  file.bytes = tail.bytes();
  if (tail.begin() != dumpi_magic)
    tail.fail(0, fmt::format("not a DUMPI file (got {})", quoted(tail.begin().data(), tail.begin().size())),
              "\\xFF\\xAA\\xDDDUMPI");
  // Backwards from the end: offsets of key values, footer, body, header, labels, addresses, sizes, and the magic.
  enum { keyvals, footer, body, header, labels, addresses, sizes, sections };
  std::array<u64, sections> offsets{};
  for (std::size_t i = 0;; ++i) {
    if (tail.bytes() < 8 * (i + 1)) tail.fail(tail.bytes(), "no index of sections (the file is truncated)", "it all");
    const u8* const entry = tail.at(tail.bytes() - 8 * (i + 1), 8, "the index of sections");
    if (std::memcmp(entry, dumpi_magic.data(), 8) == 0) {
      if (i <= header) tail.fail(tail.bytes(), fmt::format("the index has {} sections", i), "4 or more");
      break;
    }
    if (i >= 16) tail.fail(tail.bytes(), "no index of sections at the end (the file is truncated)", "it all");
    if (i < sections) offsets[i] = big_endian(entry, 8);
  }
  file.body = offsets[body];
  if (file.body < dumpi_magic.size() || file.body >= file.bytes)
    tail.fail(tail.bytes(), fmt::format("the calls begin at byte {} of {}", file.body, file.bytes),
              "an offset in the file");
  const u8* const version = tail.at(offsets[header], 3, "the header");
  file.version = version[0] * 10'000u + version[1] * 100u + version[2];
  if (offsets[sizes] != 0) {
    const u64 count = big_endian(tail.at(offsets[sizes], 4, "the sizes of data types"), 4);
    if (count > 65536) tail.fail(offsets[sizes], fmt::format("{} sizes of data types", count), "at most 65536");
    const u8* const list = tail.at(offsets[sizes] + 4, 4 * count, "the sizes of data types");
    for (u64 i = 0; i < count; ++i) file.sizes.push_back(static_cast<i32>(big_endian(list + 4 * i, 4)));
  }
  if (offsets[footer] != 0 && offsets[footer] + 8 + 4 * dumpi_footer_calls <= file.bytes) {
    const u8* const counts = tail.at(offsets[footer], 8 + 4 * dumpi_footer_calls, "the footer");
    if (big_endian(counts, 8) == dumpi_footer_magic) {
      for (std::size_t i = 0; i < dumpi_footer_calls; ++i)
        file.calls.push_back(static_cast<i32>(big_endian(counts + 8 + 4 * i, 4)));
    }
  }
  return file;
}

DumpiBody::DumpiBody(const DumpiFile& file) : file_(file), source_(file.open()), buffer_(dumpi_buffer_bytes) {
  skip(file.body);
  number(8);  // offsets of both clocks, in seconds
}

void DumpiBody::reject(u64 offset, const std::string& problem, const std::string& expected) const {
  throw InputError(fmt::format("{}: byte {}: {}; expected {}", file_.name, offset, problem, expected));
}

/// The next bytes, at most as many as the buffer holds.
const u8* DumpiBody::take(std::size_t bytes) {
  while (end_ - begin_ < bytes) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    passed_ += begin_;
    end_ -= begin_;
    begin_ = 0;
    const std::size_t got = source_->read(reinterpret_cast<char*>(buffer_.data()) + end_, buffer_.size() - end_);
    if (got == 0)
      reject(passed_ + end_, fmt::format("the file ends within a call (got {} bytes)", end_),
             "the end of the calls, 293");
    end_ += got;
  }
  const u8* const at = buffer_.data() + begin_;
  begin_ += bytes;
  return at;
}

u64 DumpiBody::number(std::size_t bytes) { return big_endian(take(bytes), bytes); }

void DumpiBody::skip(u64 bytes) {
  while (bytes > 0) {
    const std::size_t piece = static_cast<std::size_t>(std::min<u64>(bytes, dumpi_buffer_bytes));
    take(piece);
    bytes -= piece;
  }
}

/// How many elements follow.
u64 DumpiBody::length() {
  const i32 count = number_i32();
  if (count < 0 || static_cast<u64>(count) > most_elements)
    reject(offset() - 4, fmt::format("a list of {} elements", count), fmt::format("0..{}", most_elements));
  return static_cast<u64>(count);
}

bool DumpiBody::next(DumpiCall& call) {
  call.offset = offset();
  call.function = static_cast<u16>(number(2));
  if (call.function == dumpi_end) return false;
  const std::vector<DumpiArgument>* const arguments = dumpi_arguments(call.function);
  if (arguments == nullptr)
    reject(call.offset, fmt::format("unknown call (got number {})", call.function), "0..281 of MPI, or 293, the end");
  const u8 mask = static_cast<u8>(number(1));
  if ((mask & 0x40) != 0) number(2);  // thread
  read_times(mask, call);
  if ((mask & 0x80) != 0) skip(16 * number(1));
  call.statuses.clear();
  for (const DumpiArgument& argument : *arguments) read_argument(argument, mask, call);
  return true;
}

/// CPU times are passed over. Seconds are of 16 bits.
void DumpiBody::read_times(u8 mask, DumpiCall& call) {
  if ((mask & 0x04) != 0) skip(12);
  call.has_wall = (mask & 0x08) != 0;
  if (!call.has_wall) return;
  const auto time = [&] {
    const u64 seconds = number(2);
    if (seconds + dumpi_wrap_s / 2 < last_s_) wrapped_s_ += dumpi_wrap_s;
    last_s_ = seconds;
    return (wrapped_s_ + seconds) * 1'000'000'000 + number(4);
  };
  call.begin_ns = time();
  call.end_ns = time();
}

void DumpiBody::read_statuses(u8 mask, DumpiCall& call) {
  call.statuses.clear();
  if ((mask & 3) == 0) return;
  for (u64 left = length(); left > 0; --left) {
    DumpiStatus status;
    status.bytes = number_i32();
    status.source = number_i32();
    status.cancelled = number(1) != 0;
    number(1);  // error
    if (file_.version >= 603) status.tag = number_i32();
    call.statuses.push_back(status);
  }
}

void DumpiBody::read_list(std::size_t bytes, std::vector<i32>& list) {
  const u64 more = length();
  if (list.size() + more > most_elements)
    reject(offset() - 4, fmt::format("lists of {} elements", list.size() + more), fmt::format("0..{}", most_elements));
  for (u64 left = more; left > 0; --left) list.push_back(static_cast<i32>(number(bytes)));
}

void DumpiBody::read_argument(const DumpiArgument& argument, u8 mask, DumpiCall& call) {
  using Type = DumpiArgument::Type;
  if (argument.conditional && call.at(argument.left) != call.at(argument.right)) return;
  if (file_.version < argument.since) {
    number(4);
    if (!argument.extra_before) return;
  }
  std::vector<i32>& list = call.lists[argument.type >= Type::list_u8 ? argument.slot : dumpi_lists - 1];
  i64& value = call.values[argument.type < Type::list_u8 ? argument.slot : dumpi_fields - 1];
  list.clear();
  switch (argument.type) {
    case Type::u8:
      value = static_cast<i64>(number(1));
      break;
    case Type::u16:
      value = static_cast<i64>(number(2));
      break;
    case Type::i32:
      value = number_i32();
      break;
    case Type::i64:
      value = static_cast<i64>(number(8));
      break;
    case Type::status:
      read_statuses(mask, call);
      break;
    case Type::text:
      skip(length());
      break;
    case Type::texts:
      for (i64 left = argument.counted ? call.at(DumpiField::argc) : static_cast<i64>(length()); left > 0; --left)
        skip(length());
      break;
    case Type::list_u8:
      read_list(1, list);
      break;
    case Type::list_u16:
      read_list(2, list);
      break;
    case Type::list_i32:
      read_list(4, list);
      break;
    case Type::lists_i32:
      for (u64 left = length(); left > 0; --left) read_list(4, list);
      break;
    case Type::lists_text:
      for (u64 lists = length(); lists > 0; --lists) {
        for (u64 left = length(); left > 0; --left) skip(length());
      }
      break;
  }
}

}  // namespace weft::workloads
