// The task counts of the kernels that pair tasks by the bits of their numbers.
#include "workloads/generator/kernel/planned_program.hpp"

#include <bit>
#include <fmt/format.h>

#include "engine/base/sizes.hpp"

namespace weft::workloads {

u32 task_levels(const KernelSpec& spec) {
  if (!std::has_single_bit(spec.tasks)) {
    throw ConfigError(
        fmt::format("workload.tasks = {} does not fit kernel \"{}\" (it pairs tasks by the bits of their number, so "
                    "the count must be a "
                    "power of two); use {} tasks",
                    spec.tasks, spec.name, nearest_powers_of(2, spec.tasks, 1)));
  }
  return static_cast<u32>(std::countr_zero(spec.tasks));
}

}  // namespace weft::workloads
