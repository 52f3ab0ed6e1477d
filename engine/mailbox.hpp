// Where one process or thread leaves batches for another on the same machine, in memory that both see: what takes MPI
// most of a microsecond takes a cache line's way from core to core here.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

#include "engine/base/types.hpp"

namespace weft::engine {

/// Tells the processor that this is a loop that waits.
inline void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

/// One way between two processes. Each has an object of its own for the same memory; there are some places, so that who
/// puts batches is ahead of who takes them by a few.
class Mailbox {
 public:
  enum class Put { done, too_large, full };
  enum class Found {
    nothing,   ///< the next batch has not come yet
    batch,     ///< it has
    elsewhere  ///< it was too large, and comes by another way
  };

  /// Memory for batches of up to so many bytes.
  [[nodiscard]] static constexpr std::size_t bytes_for(std::size_t batch_bytes) {
    return line + places * place_bytes(batch_bytes);
  }

  /// The longest batches for which so many bytes do; 0: none.
  [[nodiscard]] static constexpr std::size_t batch_bytes_in(std::size_t bytes) {
    const std::size_t place = bytes < line ? 0 : (bytes - line) / places / line * line;
    return place < 4 * line ? 0 : place - word_bytes;
  }

  /// `memory`: of bytes_for(batch_bytes), at a multiple of 64, and zero before either process puts anything.
  Mailbox(std::byte* memory, std::size_t batch_bytes) : memory_(memory), batch_bytes_(batch_bytes) {}

  /// Whether there is no room for another batch until the reader has taken one.
  [[nodiscard]] bool full() {
    if (number_ - taken_ == places) taken_ = taken().load(std::memory_order_acquire);
    return number_ - taken_ == places;
  }

  /// `too_large`: the reader is told to look elsewhere. `full`: nothing was done; wait until it has taken some.
  [[nodiscard]] Put put(std::span<const std::byte> batch) {
    if (full()) return Put::full;
    std::byte* const to = place(number_++);
    const bool fits = batch.size() <= batch_bytes_;
    if (fits) write(to + word_bytes, batch);
    word(to).store(u64{static_cast<u32>(number_)} << 32 | (fits ? batch.size() : none), std::memory_order_release);
    return fits ? Put::done : Put::too_large;
  }

  /// Replaces `batch` by the next one, if that is here.
  [[nodiscard]] Found take(std::vector<std::byte>& batch) {
    std::byte* const from = place(number_);
    const u64 found = word(from).load(std::memory_order_acquire);
    if (found >> 32 != static_cast<u32>(number_ + 1)) return Found::nothing;
    const u32 bytes = static_cast<u32>(found);
    const bool here = bytes != none;
    if (here) batch.assign(from + word_bytes, from + word_bytes + bytes);
    taken().store(++number_, std::memory_order_release);
    return here ? Found::batch : Found::elsewhere;
  }

 private:
  static constexpr u32 none = ~u32{0};  ///< bytes of a batch that comes by another way
  static constexpr std::size_t line = 64, word_bytes = 8, places = 8;

  // Memory begins with a line for the number of batches that the reader has taken, at which the writer seldom looks.
  // Places follow: a word that is written last, then the batch. Most batches are so short that they share the line of
  // the word, which the reader watches; it is written at once, so that it goes from core to core once.

  [[nodiscard]] static constexpr std::size_t place_bytes(std::size_t batch_bytes) {
    return (word_bytes + batch_bytes + line - 1) / line * line;
  }
  /// What is in the line that the reader watches comes last.
  static void write(std::byte* to, std::span<const std::byte> batch) {
    const std::size_t first = std::min(batch.size(), line - word_bytes);
    if (batch.size() > first) std::memcpy(to + first, batch.data() + first, batch.size() - first);
    if (first > 0) std::memcpy(to, batch.data(), first);
  }
  [[nodiscard]] std::byte* place(u64 number) const {
    return memory_ + line + number % places * place_bytes(batch_bytes_);
  }
  /// Number of the batch, from 1 on, in the upper half, and its bytes.
  [[nodiscard]] static std::atomic_ref<u64> word(std::byte* place) {
    return std::atomic_ref<u64>(*reinterpret_cast<u64*>(place));
  }
  [[nodiscard]] std::atomic_ref<u64> taken() const { return word(memory_); }

  std::byte* memory_;
  std::size_t batch_bytes_;
  u64 number_ = 0;  ///< batches put, or taken, by this process
  u64 taken_ = 0;   ///< writer: batches that the reader had taken when it was last looked at
};

}  // namespace weft::engine
