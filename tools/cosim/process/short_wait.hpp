// Waiting for the other side for a moment before one sleeps: to be woken takes longer than most answers do. Included by
// libraries that are loaded into programs of others.
#pragma once

#include <atomic>
#include <cstdint>
#include <ctime>
#include <sched.h>

namespace weft::tools::cosim {

/// Looks at a word for some microseconds. It gives its core away between looks, since the other side may need it; where
/// strangers take it then, that is given up for a while.
class ShortWait {
 public:
  explicit ShortWait(std::uint64_t most_ns) : most_ns_(most_ns) {}
  /// Whether the word has become another than `seen`.
  bool operator()(const std::atomic<std::uint32_t>& word, std::uint32_t seen) {
    if (word.load(std::memory_order_acquire) != seen) return true;
    if (most_ns_ == 0) return false;
    if (pauses_ > 0) {
      --pauses_;
      return false;
    }
    const std::uint64_t begin = now_ns();
    for (std::uint64_t before = begin; before - begin < most_ns_;) {
      for (unsigned look = 0; look < looks; ++look) {
        if (word.load(std::memory_order_acquire) != seen) return true;
        __builtin_ia32_pause();
      }
      ::sched_yield();
      const std::uint64_t after = now_ns();
      if (after - before > strangers_ns) {
        pauses_ = most_pauses;
        return word.load(std::memory_order_acquire) != seen;
      }
      before = after;
    }
    return word.load(std::memory_order_acquire) != seen;
  }

 private:
  static constexpr std::uint64_t strangers_ns = 200'000;
  static constexpr unsigned looks = 30, most_pauses = 200;

  static std::uint64_t now_ns() {
    timespec now = {};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
  }

  std::uint64_t most_ns_;
  unsigned pauses_ = 0;  ///< waits that are left until it looks again
};

}  // namespace weft::tools::cosim
