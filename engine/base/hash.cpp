// The mixing of hash_bytes is a multiplication and a shift for each word, as in MurmurHash3's finaliser.
#include "engine/base/hash.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace weft {

namespace {

/// Fills the block but at the end of the file: the hash depends on where blocks end. Returns the bytes, -1 for an
/// error.
ssize_t read_block(int file, std::span<std::byte> block) {
  std::size_t filled = 0;
  while (filled < block.size()) {
    const ssize_t got = ::read(file, block.data() + filled, block.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return -1;
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  return static_cast<ssize_t>(filled);
}

}  // namespace

u64 hash_bytes(std::span<const std::byte> bytes, u64 hash) {
  hash ^= bytes.size();
  std::size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) {
    u64 word;
    std::memcpy(&word, bytes.data() + at, 8);
    hash = (hash ^ word) * 0xff51afd7ed558ccdULL;
    hash ^= hash >> 32;
  }
  for (; at < bytes.size(); ++at) hash = (hash ^ static_cast<u64>(bytes[at])) * 0x100000001b3ULL;
  return hash;
}

std::optional<u64> hash_file(const std::string& path) {
  // Reading a pipe would take away what the run wants to read.
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode)) return std::nullopt;
  std::vector<std::byte> block(1 << 20);
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  u64 hash = hash_bytes({});
  std::optional<u64> result;
  while (!result) {
    const ssize_t filled = read_block(file, block);
    if (filled < 0) break;
    hash = filled > 0 ? hash_bytes(std::span(block).first(static_cast<std::size_t>(filled)), hash) : hash;
    if (static_cast<std::size_t>(filled) < block.size()) result = hash;
  }
  ::close(file);
  return result;
}

std::string hex_digits(u64 value) { return fmt::format("{:016x}", value); }

}  // namespace weft
