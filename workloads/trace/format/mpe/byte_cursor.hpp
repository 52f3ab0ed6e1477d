// Numbers and strings of binary logs, of either byte order.
#pragma once

#include <cstring>
#include <string>

#include "engine/base/types.hpp"

namespace weft::workloads {

/// Reads at places that the caller has checked.
struct ByteCursor {
  bool swapped = false;  ///< the file's byte order is not this machine's

  [[nodiscard]] i32 i32_at(const char* at) const {
    u32 value = 0;
    std::memcpy(&value, at, sizeof value);
    return static_cast<i32>(swapped ? __builtin_bswap32(value) : value);
  }
  [[nodiscard]] double f64_at(const char* at) const {
    u64 value = 0;
    std::memcpy(&value, at, sizeof value);
    if (swapped) value = __builtin_bswap64(value);
    double number = 0;
    std::memcpy(&number, &value, sizeof number);
    return number;
  }
  /// A string that NUL bytes fill up to `room`.
  [[nodiscard]] static std::string text_at(const char* at, std::size_t room) { return {at, ::strnlen(at, room)}; }
};

/// Seconds as nanoseconds; false if they are no number or beyond 30 years.
[[nodiscard]] inline bool nanoseconds_of(double seconds, i64& ns) {
  constexpr double most = 1e9;
  if (!(seconds > -most && seconds < most)) return false;
  const double exact = seconds * 1e9;
  ns = static_cast<i64>(exact < 0 ? exact - 0.5 : exact + 0.5);
  return true;
}

}  // namespace weft::workloads
