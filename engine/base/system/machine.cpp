// Asked of the system each time; nothing is kept.
#include "engine/base/system/machine.hpp"

#include <array>
#include <chrono>
#include <fstream>
#include <sys/resource.h>
#include <unistd.h>

namespace weft {

double wall_s() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

double user_cpu_s() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec) + 1e-6 * static_cast<double>(usage.ru_utime.tv_usec);
}

u64 resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  u64 size = 0, resident = 0;
  statm >> size >> resident;
  return resident * static_cast<u64>(sysconf(_SC_PAGESIZE));
}

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

}  // namespace weft
