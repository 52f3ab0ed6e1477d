// Plain values to bytes and back, for checkpoints; reading checks every length.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/types.hpp"

namespace weft::engine {

/// Appends plain values in the machine's own representation.
class ByteWriter {
 public:
  template <class T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    append(&value, sizeof value);
  }
  template <class T>
  void put_list(const std::vector<T>& values) {
    put(static_cast<u64>(values.size()));
    append(values.data(), values.size() * sizeof(T));
  }
  [[nodiscard]] const std::vector<std::byte>& bytes() const { return bytes_; }
  [[nodiscard]] std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  void append(const void* from, std::size_t count) {
    if (count == 0) return;
    const std::size_t had = bytes_.size();
    bytes_.resize(had + count);
    std::memcpy(bytes_.data() + had, from, count);
  }
  std::vector<std::byte> bytes_;
};

/// Reads what a ByteWriter wrote. Throws InputError where the bytes end too early or a length cannot be right.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}
  template <class T>
  [[nodiscard]] T get() {
    static_assert(std::is_trivially_copyable_v<T>);
    T value;
    std::memcpy(static_cast<void*>(&value), take(sizeof value), sizeof value);
    return value;
  }
  template <class T>
  void get_list(std::vector<T>& values) {
    const u64 count = get<u64>();
    if (count > left() / sizeof(T)) fail();
    values.resize(count);
    if (count != 0) std::memcpy(static_cast<void*>(values.data()), take(count * sizeof(T)), count * sizeof(T));
  }
  /// The next `count` bytes, in place.
  [[nodiscard]] const std::byte* take(std::size_t count) {
    if (count > left()) fail();
    const std::byte* const at = bytes_.data() + at_;
    at_ += count;
    return at;
  }
  [[nodiscard]] std::size_t left() const { return bytes_.size() - at_; }
  /// Throws InputError if something is left.
  void finish() const {
    if (left() != 0) fail();
  }

 private:
  [[noreturn]] static void fail() {
    throw InputError(
        "a record of the checkpoint has the wrong length (it is damaged); use an older checkpoint or start anew");
  }
  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
};

}  // namespace weft::engine
