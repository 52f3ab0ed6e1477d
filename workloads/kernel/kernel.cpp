// Looks a kernel up by name and makes the checks that all kernels share.
#include "workloads/kernel/kernel.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/error.hpp"
#include "engine/nearest.hpp"

namespace weft::workloads {
namespace {

void check_switch(const KernelSpec& spec, const char* key, bool wanted, bool known) {
  if (!wanted || known) return;
  throw ConfigError(fmt::format("workload.{} does not apply to kernel \"{}\" (it would have no effect); remove the key",
                                key, spec.name));
}

u32 resolved_dimensions(const KernelSpec& spec, const KernelKind& kind) {
  if (kind.dimensions.empty()) return 0;
  if (spec.dimensions == 0) return kind.dimensions.front();
  if (std::ranges::find(kind.dimensions, spec.dimensions) != kind.dimensions.end()) return spec.dimensions;
  std::string accepted;
  for (const u32 dimensions : kind.dimensions) accepted += (accepted.empty() ? "" : ", ") + std::to_string(dimensions);
  throw ConfigError(
      fmt::format("workload.dimensions = {} does not fit kernel \"{}\" (it accepts {}); change or remove the key",
                  spec.dimensions, spec.name, accepted));
}

}  // namespace

std::unique_ptr<Program> make_kernel(const KernelSpec& spec) {
  const auto& registry = KernelRegistry::instance();
  const KernelKind* kind = registry.find(spec.name);
  if (kind == nullptr) {
    throw ConfigError(
        fmt::format("workload.name \"{}\" is not a kernel (weft describe kernels lists them); did you mean \"{}\"?",
                    spec.name, nearest(spec.name, registry.names())));
  }
  if (spec.tasks == 0) {
    throw ConfigError(
        fmt::format("workload.tasks = 0 for kernel \"{}\" (nothing to run); use at least 1 task", spec.name));
  }
  if (spec.repetitions == 0) {
    throw ConfigError(
        fmt::format("workload.repetitions = 0 for kernel \"{}\" (nothing to run); use at least 1", spec.name));
  }
  check_switch(spec, "return_sweep", spec.return_sweep, kind->return_sweep);
  check_switch(spec, "wrap", spec.wrap, kind->wrap);
  check_switch(spec, "diagonals", spec.diagonals, kind->diagonals);
  KernelSpec resolved = spec;
  resolved.dimensions = resolved_dimensions(spec, *kind);
  return kind->make(resolved);
}

}  // namespace weft::workloads
