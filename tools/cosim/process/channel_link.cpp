// Steps and answers in shared memory, and sleeping on them; see the header.
#include "tools/cosim/process/channel_link.hpp"

#include <algorithm>
#include <ctime>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "engine/base/system/machine.hpp"

namespace weft::tools::cosim {
namespace {

long futex(std::atomic<u32>& word, int operation, u32 value, const timespec* timeout) {
  return ::syscall(SYS_futex, &word, operation, value, timeout, nullptr, 0);
}

void wake(std::atomic<u32>& word) { futex(word, FUTEX_WAKE, 1, nullptr); }

}  // namespace

Command ChannelLink::take() {
  if (channel_.written.load(std::memory_order_acquire) == taken_) wait();
  const Command command = channel_.commands[taken_ % Channel::capacity];
  ++taken_;
  channel_.taken.store(taken_);
  // One that is too far ahead sleeps until there is much room again.
  if (channel_.process_sleeps.load() != 0 && channel_.written.load() - taken_ == Channel::capacity / 2)
    wake(channel_.taken);
  return command;
}

void ChannelLink::wait() {
  if (short_wait_(channel_.written, taken_)) return;
  const double begin_s = wall_s();
  while (channel_.written.load(std::memory_order_acquire) == taken_) {
    channel_.weft_sleeps.store(1);
    constexpr timespec moment = {0, 50'000'000};
    if (channel_.written.load() == taken_) futex(channel_.written, FUTEX_WAIT, taken_, &moment);
    channel_.weft_sleeps.store(0);
    if (channel_.written.load(std::memory_order_acquire) == taken_) look_(wall_s() - begin_s);
  }
}

void ChannelLink::answer(const Answer& answer, std::span<const Completion> completions) {
  channel_.answer = answer;
  std::ranges::copy(completions, channel_.completions);
  channel_.answered.store(channel_.answered.load(std::memory_order_relaxed) + 1);
  if (channel_.process_sleeps.load() != 0) wake(channel_.answered);
}

}  // namespace weft::tools::cosim
