// Fuzz target of the placement reader: any bytes give whole placements, of an application or of jobs, or an InputError.
#include <array>
#include <cstddef>
#include <string>

#include "engine/base/error.hpp"
#include "workloads/program/placement/placement_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t bytes) {
  constexpr weft::u32 tasks = 4;
  constexpr weft::u32 nodes = 8;
  const std::string text(data, data + bytes);
  const auto check = [](const weft::workloads::Placement& placement, weft::u32 of) {
    WEFT_ASSERT(placement.node_of_task.size() == of);
    for (const auto node : placement.node_of_task) WEFT_ASSERT(node.value() < nodes);
  };
  try {
    check(weft::workloads::read_placement(text, "fuzz", tasks, nodes), tasks);
  } catch (const weft::InputError&) {
  }
  const std::array<weft::workloads::JobTasks, 3> jobs{{{"a", 1, 1}, {"b-c", 2, 2}, {"7", 1, 1}}};
  for (weft::u32 job = 0; job < jobs.size(); ++job) {
    try {
      check(weft::workloads::read_job_placement(text, "fuzz", jobs, job, nodes).placement, jobs[job].tasks);
    } catch (const weft::InputError&) {
    }
  }
  return 0;
}
