// The mixing of hash_bytes is a multiplication and a shift for each word, as in MurmurHash3's finaliser.
#include "tools/hash/hash.hpp"

#include <cstdio>
#include <cstring>
#include <fstream>
#include <vector>

namespace weft::tools {

u64 fnv1a(std::string_view bytes, u64 hash) {
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3ULL;
  return hash;
}

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
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::vector<char> block(1 << 20);
  u64 hash = hash_bytes({});
  while (file.read(block.data(), static_cast<std::streamsize>(block.size())), file.gcount() > 0) {
    hash = hash_bytes(std::as_bytes(std::span(block.data(), static_cast<std::size_t>(file.gcount()))), hash);
  }
  if (file.bad()) return std::nullopt;
  return hash;
}

std::string hex_digits(u64 value) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
  return text;
}

}  // namespace weft::tools
