// Clocks of the system, as a program under weft reads them: simulated time since MPI_Init, from a day that is always
// the same, so that runs repeat. The MPI library and what it is made of go by the clocks of this machine, and so do
// other threads than that which has called MPI_Init.
#include <atomic>
#include <ctime>
#include <pthread.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include "tools/cosim/process/library/hooks.hpp"
#include "tools/cosim/process/library/preloaded/caller.hpp"

namespace {

constexpr std::uint64_t first_day_s = 1'767'225'600;  // 2026-01-01
pthread_t owner;
std::atomic<bool> has_owner;

/// Simulated, for who asks; false: it is to read the machine's clock.
bool simulated(const void* caller, std::uint64_t& ps) {
  if (weft_cosim_hooks == nullptr) return false;
  if (!has_owner.load(std::memory_order_acquire)) return false;
  if (pthread_equal(owner, pthread_self()) == 0 || !weft::tools::cosim::is_of_the_program(caller)) return false;
  ps = weft_cosim_hooks->now_ps();
  return true;
}

}  // namespace

/// The calling thread is the one that calls MPI.
extern "C" void weft_cosim_take_clocks() {
  owner = pthread_self();
  has_owner.store(true, std::memory_order_release);
}

extern "C" int clock_gettime(clockid_t clock, timespec* to) {
  const bool is_wall = clock != CLOCK_PROCESS_CPUTIME_ID && clock != CLOCK_THREAD_CPUTIME_ID && clock >= 0;
  std::uint64_t ps = 0;
  if (!is_wall || !simulated(__builtin_return_address(0), ps))
    return static_cast<int>(::syscall(SYS_clock_gettime, clock, to));
  to->tv_sec = static_cast<time_t>(first_day_s + ps / 1'000'000'000'000);
  to->tv_nsec = static_cast<long>(ps % 1'000'000'000'000 / 1000);
  return 0;
}

extern "C" int gettimeofday(timeval* to, void* zone) {
  std::uint64_t ps = 0;
  if (!simulated(__builtin_return_address(0), ps)) return static_cast<int>(::syscall(SYS_gettimeofday, to, zone));
  to->tv_sec = static_cast<time_t>(first_day_s + ps / 1'000'000'000'000);
  to->tv_usec = static_cast<suseconds_t>(ps % 1'000'000'000'000 / 1'000'000);
  return 0;
}

extern "C" time_t time(time_t* to) {
  std::uint64_t ps = 0;
  time_t now = 0;
  if (simulated(__builtin_return_address(0), ps)) {
    now = static_cast<time_t>(first_day_s + ps / 1'000'000'000'000);
  } else {
    timespec real = {};
    ::syscall(SYS_clock_gettime, CLOCK_REALTIME, &real);
    now = real.tv_sec;
  }
  if (to != nullptr) *to = now;
  return now;
}
