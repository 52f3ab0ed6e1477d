// Where one thread leaves batches for another: short ones in a mailbox, long ones as the vectors that they are.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include "engine/mailbox.hpp"

namespace weft::engine {

/// One way between two threads: one puts, one takes.
class ThreadMail {
 public:
  /// `bytes`: of memory for batches that are not long.
  explicit ThreadMail(std::size_t bytes)
      : batch_bytes_(Mailbox::batch_bytes_in(bytes)),
        memory_(new (std::align_val_t{line}) std::byte[Mailbox::bytes_for(batch_bytes_)]()),
        put_(memory_.get(), batch_bytes_),
        take_(memory_.get(), batch_bytes_) {}

  /// False if there is no room until the other thread has taken a batch.
  [[nodiscard]] bool put(std::span<const std::byte> batch) {
    if (batch.size() <= batch_bytes_) return put_.put(batch) == Mailbox::Put::done;
    // The mailbox says that a long one is there: after it is.
    if (put_.full()) return false;
    {
      const std::lock_guard guard(lock_);
      long_ones_.emplace_back(batch.begin(), batch.end());
    }
    return put_.put(batch) == Mailbox::Put::too_large;
  }

  /// False if the next batch has not come yet.
  [[nodiscard]] bool take(std::vector<std::byte>& batch) {
    const Mailbox::Found found = take_.take(batch);
    if (found != Mailbox::Found::elsewhere) return found == Mailbox::Found::batch;
    const std::lock_guard guard(lock_);
    batch.swap(long_ones_.front());
    long_ones_.pop_front();
    return true;
  }

 private:
  static constexpr std::size_t line = 64;

  struct Free {
    void operator()(std::byte* memory) const { ::operator delete[](memory, std::align_val_t{line}); }
  };

  std::size_t batch_bytes_;
  std::unique_ptr<std::byte[], Free> memory_;
  Mailbox put_;
  alignas(line) Mailbox take_;
  alignas(line) std::mutex lock_;
  std::deque<std::vector<std::byte>> long_ones_;
};

}  // namespace weft::engine
