// Hashes that find damage and difference, not malice, and how they are written.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "engine/base/fnv1a.hpp"
#include "engine/base/types.hpp"

namespace weft {

/// A hash of much data, eight bytes at a time, continued from `hash`.
[[nodiscard]] u64 hash_bytes(std::span<const std::byte> bytes, u64 hash = 0x9e3779b97f4a7c15ULL);
/// hash_bytes of a regular file's content, piece by piece; nothing if it is none (a pipe can be read but once) or
/// cannot be read to its end.
[[nodiscard]] std::optional<u64> hash_file(const std::string& path);
/// 16 lower-case hex digits.
[[nodiscard]] std::string hex_digits(u64 value);

}  // namespace weft
