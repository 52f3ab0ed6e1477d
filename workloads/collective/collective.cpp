// Looks an algorithm up by operation and name and makes the checks that all of them share.
#include "workloads/collective/collective.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

#include "engine/error.hpp"
#include "engine/nearest.hpp"

namespace weft::workloads {

namespace {

/// Parts register in any order, so that an algorithm without its operation shows only here.
void check_operation(const CollectiveKind& kind) {
  if (OperationRegistry::instance().find(kind.operation) != nullptr) return;
  throw Bug(fmt::format("collective algorithm \"{}\" is of the operation \"{}\", which no file registers",
                        kind.algorithm, kind.operation));
}

}  // namespace

bool add_collective(CollectiveKind kind) {
  const std::string name = fmt::format("{} {}", kind.operation, kind.algorithm);
  return CollectiveRegistry::instance().add(name, std::move(kind));
}

std::vector<std::string> collective_operations() {
  std::vector<std::string> operations;
  const auto& registry = CollectiveRegistry::instance();
  for (const std::string& name : registry.names()) operations.push_back(registry.find(name)->operation);
  std::ranges::sort(operations);
  operations.erase(std::unique(operations.begin(), operations.end()), operations.end());
  return operations;
}

const CollectiveKind& collective_kind(const CollectiveSpec& spec) {
  const auto& registry = CollectiveRegistry::instance();
  std::vector<std::string> algorithms{"auto"};
  for (const std::string& name : registry.names()) {
    const CollectiveKind& kind = *registry.find(name);
    if (kind.operation != spec.operation) continue;
    if (spec.algorithm == kind.algorithm || (spec.algorithm == "auto" && kind.usual)) {
      check_operation(kind);
      return kind;
    }
    algorithms.push_back(kind.algorithm);
  }
  if (algorithms.size() == 1) {
    throw ConfigError(
        fmt::format("workload.name \"{}\" is not a collective operation (weft describe collectives lists them); did "
                    "you mean \"{}\"?",
                    spec.operation, nearest(spec.operation, collective_operations())));
  }
  throw ConfigError(fmt::format(
      "workload.algorithm \"{}\" is not one of \"{}\" (weft describe collectives lists them); did you mean \"{}\"?",
      spec.algorithm, spec.operation, nearest(spec.algorithm, algorithms)));
}

u64 longest_message_bytes(const CollectiveSpec& spec) {
  const CollectiveKind& kind = collective_kind(spec);
  const u64 times = kind.longest ? std::max<u64>(1, kind.longest(spec.tasks)) : 1;
  const u64 most = std::numeric_limits<u64>::max() / times;
  if (spec.message_bytes > most) {
    throw ConfigError(
        fmt::format("workload.message_bytes = {} makes \"{}\" of {} tasks send {} times as much at once (no number of "
                    "64 bits); use {} or less",
                    spec.message_bytes, spec.operation, spec.tasks, times, most));
  }
  return spec.message_bytes * times;
}

std::unique_ptr<Program> make_collective(const CollectiveSpec& spec) {
  const CollectiveKind& kind = collective_kind(spec);
  const auto need = [&](const char* key, u64 value) {
    if (value > 0) return;
    throw ConfigError(
        fmt::format("workload.{} = 0 for collective \"{}\" (nothing to run); use at least 1", key, spec.operation));
  };
  need("tasks", spec.tasks);
  need("message_bytes", spec.message_bytes);
  need("repetitions", spec.repetitions);
  static_cast<void>(longest_message_bytes(spec));
  CollectiveSpec resolved = spec;
  resolved.algorithm = kind.algorithm;
  return kind.make(resolved);
}

}  // namespace weft::workloads
