#include "tools/cosim/process/library/component/measure.hpp"

#include <cstring>
#include <ctime>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace weft::tools::cosim {
namespace {

Measure measure = Measure::nothing;
double ns_per_instruction = 0;
int counter = -1;
std::uint64_t begin = 0;

std::uint64_t count() {
  if (measure == Measure::instructions) {
    std::uint64_t value = 0;
    return ::read(counter, &value, sizeof value) == sizeof value ? value : 0;
  }
  timespec now = {};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

}  // namespace

bool begin_measuring(const Board& board) {
  measure = board.measure;
  ns_per_instruction = board.ns_per_instruction;
  if (measure == Measure::instructions) {
    perf_event_attr what;
    std::memset(&what, 0, sizeof what);
    what.type = PERF_TYPE_HARDWARE;
    what.size = sizeof what;
    what.config = PERF_COUNT_HW_INSTRUCTIONS;
    what.exclude_kernel = 1;
    what.exclude_hv = 1;
    counter = static_cast<int>(::syscall(SYS_perf_event_open, &what, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
    if (counter < 0) return false;
  }
  start_measuring();
  return true;
}

void start_measuring() {
  if (measure != Measure::nothing) begin = count();
}

std::uint64_t measured_ns() {
  if (measure == Measure::nothing) return 0;
  const std::uint64_t units = count() - begin;
  if (measure == Measure::processor_time) return units;
  return static_cast<std::uint64_t>(static_cast<double>(units) * ns_per_instruction);
}

}  // namespace weft::tools::cosim
