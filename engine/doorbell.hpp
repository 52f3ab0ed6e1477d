// A thread that has nothing to do sleeps until another one rings.
#pragma once

#include <atomic>
#include <ctime>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "engine/base/types.hpp"

namespace weft::engine {

/// The bell of one thread that sleeps; any other may ring.
class alignas(64) Doorbell {
 public:
  /// Sleeps until it rings, a hundredth of a second at most, unless condition() holds now: true then.
  template <class Condition>
  [[nodiscard]] bool sleep_unless(Condition&& condition) {
    sleeps_.store(1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);  // it sees what was done before, or who did it sees this
    const bool holds = condition();
    if (!holds) {
      const timespec most{0, 10'000'000};
      ::syscall(SYS_futex, reinterpret_cast<u32*>(&sleeps_), FUTEX_WAIT_PRIVATE, 1U, &most, nullptr, 0);
    }
    sleeps_.store(0, std::memory_order_relaxed);
    return holds;
  }

  /// After something was done that the thread may wait for. A thread that just falls asleep may not hear it unless a
  /// sequentially consistent fence stands between.
  void ring() {
    if (sleeps_.load(std::memory_order_relaxed) == 0 || sleeps_.exchange(0, std::memory_order_relaxed) == 0) return;
    ::syscall(SYS_futex, reinterpret_cast<u32*>(&sleeps_), FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
  }

 private:
  static_assert(sizeof(std::atomic<u32>) == sizeof(u32));
  std::atomic<u32> sleeps_ = 0;
};

}  // namespace weft::engine
