// The wire format of protocol buffers: fields of a message in memory.
#pragma once

#include <bit>
#include <string_view>

#include "engine/base/types.hpp"

namespace weft::workloads {

/// Goes through the fields of a message (protobuf.dev, "Encoding"): each is a number and a type, then a value.
class WireFields {
 public:
  enum Type : u8 { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };
  explicit WireFields(std::string_view message) : rest_(message) {}

  /// The next field into what follows; false at the end, or where the message is damaged (`damaged`).
  [[nodiscard]] bool next() {
    if (rest_.empty()) return false;
    u64 key = 0;
    if (!take_varint(key) || key >> 3 == 0 || key >> 3 > most_field) return fail();
    field = static_cast<u32>(key >> 3);
    type = static_cast<Type>(key & 7);
    switch (type) {
      case varint:
        return take_varint(number) || fail();
      case fixed64:
        return take_fixed(8) || fail();
      case fixed32:
        return take_fixed(4) || fail();
      case bytes: {
        u64 length = 0;
        if (!take_varint(length) || length > rest_.size()) return fail();
        text = rest_.substr(0, static_cast<std::size_t>(length));
        rest_.remove_prefix(static_cast<std::size_t>(length));
        return true;
      }
      default:
        return fail();
    }
  }
  /// The next of packed numbers, where the message is nothing but these.
  [[nodiscard]] bool next_number() { return !rest_.empty() && (take_varint(number) || fail()); }

  [[nodiscard]] bool damaged() const { return damaged_; }

  u32 field = 0;
  Type type = varint;
  u64 number = 0;         ///< varint, fixed64, fixed32
  std::string_view text;  ///< bytes

 private:
  static constexpr u64 most_field = (u64{1} << 29) - 1;
  bool fail() {
    damaged_ = true;
    rest_ = {};
    return false;
  }
  bool take_varint(u64& value) {
    value = 0;
    for (u32 shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
      const u64 byte = static_cast<u8>(rest_[0]);
      rest_.remove_prefix(1);
      if (shift == 63 && byte > 1) return false;
      value |= (byte & 0x7F) << shift;
      if (byte < 0x80) return true;
    }
    return false;
  }
  bool take_fixed(u32 count) {
    if (rest_.size() < count) return false;
    number = 0;
    for (u32 byte = 0; byte < count; ++byte) number |= u64{static_cast<u8>(rest_[byte])} << (8 * byte);
    rest_.remove_prefix(count);
    return true;
  }

  std::string_view rest_;
  bool damaged_ = false;
};

/// A number of type sint32 or sint64.
[[nodiscard]] constexpr i64 from_zigzag(u64 value) { return std::bit_cast<i64>((value >> 1) ^ (~(value & 1) + 1)); }

}  // namespace weft::workloads
