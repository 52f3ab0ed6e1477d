// The machine's counter of executed instructions, for processes and for weft, which asks whether there is one.
// Included by libraries that are loaded into programs of others.
#pragma once

#include <cstdint>
#include <cstring>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace weft::tools::cosim {

/// A descriptor that counts those of the calling thread, outside of the kernel; -1 if this machine has none.
inline int open_instruction_counter() {
  perf_event_attr what;
  std::memset(&what, 0, sizeof what);
  what.type = PERF_TYPE_HARDWARE;
  what.size = sizeof what;
  what.config = PERF_COUNT_HW_INSTRUCTIONS;
  what.exclude_kernel = 1;
  what.exclude_hv = 1;
  return static_cast<int>(::syscall(SYS_perf_event_open, &what, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

inline std::uint64_t instructions_of(int counter) {
  std::uint64_t value = 0;
  return ::read(counter, &value, sizeof value) == sizeof value ? value : 0;
}

}  // namespace weft::tools::cosim
