// Numbers in as many bytes as they need, as the pages' scripts read them.
#pragma once

#include <vector>

#include "engine/base/types.hpp"

namespace weft::tools {

/// LEB128: seven bits a byte, the lowest first. Scripts count exactly below 2^53.
struct Varints {
  std::vector<u8> bytes;
  void add(u64 value) {
    for (; value > 127; value >>= 7) bytes.push_back(static_cast<u8>(value & 127) | 128U);
    bytes.push_back(static_cast<u8>(value));
  }
  /// Small for small distances from 0 of either sign.
  void add_signed(i64 value) {
    add(value < 0 ? (static_cast<u64>(-(value + 1)) << 1) + 1 : static_cast<u64>(value) << 1);
  }
};

}  // namespace weft::tools
