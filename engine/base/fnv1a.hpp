// A hash that finds any single changed byte.
#pragma once

#include <string_view>

#include "engine/base/types.hpp"

namespace weft {

/// 64-bit FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv), continued from `hash`.
[[nodiscard]] inline u64 fnv1a(std::string_view bytes, u64 hash = 0xcbf29ce484222325ULL) {
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3ULL;
  return hash;
}

}  // namespace weft
