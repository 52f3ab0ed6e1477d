// The difference between what the machine's processors did and what this process and its children used; see the header.
#include "engine/base/system/load.hpp"

#include <algorithm>
#include <fstream>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

#include "engine/base/system/machine.hpp"

namespace weft {
namespace {

double cpu_s(int who) {
  rusage usage{};
  getrusage(who, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace

double children_cpu_s() { return cpu_s(RUSAGE_CHILDREN); }

OtherLoad::Sample OtherLoad::sample() {
  Sample taken;
  std::ifstream stat("/proc/stat");
  std::string name;
  double user = 0, nice = 0, system = 0;
  if (stat >> name >> user >> nice >> system) {
    taken.busy_s = (user + nice + system) / static_cast<double>(std::max(1L, sysconf(_SC_CLK_TCK)));
  }
  taken.own_s = cpu_s(RUSAGE_SELF) + children_cpu_s();
  taken.now_s = wall_s();
  return taken;
}

OtherLoad::OtherLoad() : begin_(sample()) {}

double OtherLoad::cores() const {
  const Sample end = sample();
  const double others = (end.busy_s - begin_.busy_s) - (end.own_s - begin_.own_s);
  return std::max(0.0, others) / std::max(1e-3, end.now_s - begin_.now_s);
}

}  // namespace weft
