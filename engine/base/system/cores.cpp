// Reads the affinity mask and the container's quota; see the header.
#include "engine/base/system/cores.hpp"

#include <algorithm>
#include <fstream>
#include <sched.h>
#include <string>
#include <thread>

namespace weft {
namespace {

unsigned cores_of_mask() {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  // Fails on machines with more cores than the mask has bits; then the library's count serves.
  if (sched_getaffinity(0, sizeof mask, &mask) != 0) return std::thread::hardware_concurrency();
  return static_cast<unsigned>(CPU_COUNT(&mask));
}

}  // namespace

unsigned usable_cores() {
  unsigned cores = std::max(1U, cores_of_mask());
  std::ifstream limit("/sys/fs/cgroup/cpu.max");
  // "QUOTA PERIOD" in microseconds; the quota is "max" where there is none, which is no number.
  unsigned long quota = 0, period = 0;
  if (limit >> quota >> period && quota > 0 && period > 0) {
    cores = std::min(cores, static_cast<unsigned>((quota + period - 1) / period));
  }
  return cores;
}

}  // namespace weft
