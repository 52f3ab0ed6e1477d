// Looks a kernel up by name and makes the checks that all kernels share.
#include "workloads/kernel/kernel.hpp"

#include <algorithm>

#include "engine/error.hpp"
#include "engine/nearest.hpp"

namespace weft::workloads {
namespace {

void check_switch(const KernelSpec& spec, const char* key, bool wanted, bool known) {
  if (!wanted || known) return;
  throw ConfigError("workload." + std::string(key) + " does not apply to kernel \"" + spec.name +
                    "\" (it would have no effect); remove the key");
}

u32 resolved_dimensions(const KernelSpec& spec, const KernelKind& kind) {
  if (kind.dimensions.empty()) return 0;
  if (spec.dimensions == 0) return kind.dimensions.front();
  if (std::ranges::find(kind.dimensions, spec.dimensions) != kind.dimensions.end()) return spec.dimensions;
  std::string accepted;
  for (const u32 dimensions : kind.dimensions) accepted += (accepted.empty() ? "" : ", ") + std::to_string(dimensions);
  throw ConfigError("workload.dimensions = " + std::to_string(spec.dimensions) + " does not fit kernel \"" + spec.name +
                    "\" (it accepts " + accepted + "); change or remove the key");
}

}  // namespace

std::unique_ptr<Program> make_kernel(const KernelSpec& spec) {
  const auto& registry = KernelRegistry::instance();
  const KernelKind* kind = registry.find(spec.name);
  if (kind == nullptr) {
    throw ConfigError("workload.name \"" + spec.name +
                      "\" is not a kernel (weft describe kernels lists them); did you mean \"" +
                      nearest(spec.name, registry.names()) + "\"?");
  }
  if (spec.tasks == 0) {
    throw ConfigError("workload.tasks = 0 for kernel \"" + spec.name + "\" (nothing to run); use at least 1 task");
  }
  if (spec.repetitions == 0) {
    throw ConfigError("workload.repetitions = 0 for kernel \"" + spec.name + "\" (nothing to run); use at least 1");
  }
  check_switch(spec, "return_sweep", spec.return_sweep, kind->return_sweep);
  check_switch(spec, "wrap", spec.wrap, kind->wrap);
  check_switch(spec, "diagonals", spec.diagonals, kind->diagonals);
  KernelSpec resolved = spec;
  resolved.dimensions = resolved_dimensions(spec, *kind);
  return kind->make(resolved);
}

}  // namespace weft::workloads
