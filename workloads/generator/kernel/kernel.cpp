// Looks a kernel up by name and makes the checks that all kernels share.
#include "workloads/generator/kernel/kernel.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/base/error.hpp"
#include "engine/base/nearest.hpp"
#include "engine/base/sizes.hpp"

namespace weft::workloads {
namespace {

void check_switch(const KernelSpec& spec, const char* key, bool wanted, bool known) {
  if (!wanted || known) return;
  throw ConfigError(fmt::format("workload.{} does not apply to kernel \"{}\" (it would have no effect); remove the key",
                                key, spec.name));
}

/// "1, 2, 3"
std::string accepted_dimensions(const KernelKind& kind) {
  std::vector<u32> accepted = kind.dimensions;
  std::ranges::sort(accepted);
  return fmt::format("{}", fmt::join(accepted, ", "));
}

bool accepts(const KernelKind& kind, std::size_t dimensions) {
  return std::ranges::find(kind.dimensions, dimensions) != kind.dimensions.end();
}

u32 resolved_dimensions(const KernelSpec& spec, const KernelKind& kind) {
  if (kind.dimensions.empty()) return 0;
  if (spec.dimensions == 0)
    return accepts(kind, spec.shape.size()) ? static_cast<u32>(spec.shape.size()) : kind.dimensions.front();
  if (accepts(kind, spec.dimensions)) return spec.dimensions;
  throw ConfigError(
      fmt::format("workload.dimensions = {} does not fit kernel \"{}\" (it accepts {}); change or remove the key",
                  spec.dimensions, spec.name, accepted_dimensions(kind)));
}

/// `spec` with its dimensions resolved.
void check_shape(const KernelSpec& spec, const KernelKind& kind) {
  if (spec.shape.empty()) return;
  if (kind.dimensions.empty()) {
    throw ConfigError(fmt::format(
        "workload.shape does not apply to kernel \"{}\" (its tasks form no mesh); remove the key", spec.name));
  }
  const auto fail = [&](const std::string& why) {
    const std::vector<u32> fitting = nearest_square_factors(spec.tasks, spec.dimensions);
    throw ConfigError(fmt::format("workload.shape = {} does not fit kernel \"{}\" ({}); use for example shape = {}",
                                  list_text(spec.shape), spec.name, why, list_text({fitting.begin(), fitting.end()})));
  };
  if (!accepts(kind, spec.shape.size()))
    fail(fmt::format("{} dimensions, it accepts {}", spec.shape.size(), accepted_dimensions(kind)));
  if (spec.shape.size() != spec.dimensions) fail(fmt::format("workload.dimensions = {}", spec.dimensions));
  if (std::ranges::any_of(spec.shape, [](i64 side) { return side < 1; })) fail("every side has at least 1 task");
  if (const u64 tasks = product_up_to(spec.shape, u64{1} << 32); tasks != spec.tasks)
    fail(tasks <= u64{1} << 32 ? fmt::format("it is of {} tasks, and there are {}", tasks, spec.tasks)
                               : fmt::format("it is of more than 2^32 tasks, and there are {}", spec.tasks));
}

}  // namespace

bool has_own_sizes(const std::string& name, const Parameters& keys) {
  const KernelKind* const kind = KernelRegistry::instance().find(name);
  return kind != nullptr && kind->own_sizes != nullptr && kind->own_sizes(keys);
}

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
  check_shape(resolved, *kind);
  for (const Setting& row : kind->settings) {
    if (!resolved.keys.has(row.name())) resolved.keys.set(row.name(), row.fallback);
  }
  return kind->make(resolved);
}

}  // namespace weft::workloads
