// Lists of kinds, and what several of them share.
#include "workloads/generator/kind/workload_kind.hpp"

#include <fmt/format.h>

#include "engine/base/error.hpp"

namespace weft::workloads {
namespace {

constexpr i64 most_tasks = 1 << 30;

}  // namespace

std::vector<std::string> workload_kinds() {
  std::vector<std::string> names = WorkloadRegistry::instance().names();
  std::ranges::stable_sort(names, {},
                           [](const std::string& name) { return WorkloadRegistry::instance().find(name)->place; });
  return names;
}

std::vector<std::string> workload_kinds(bool with_tasks) {
  std::vector<std::string> names = workload_kinds();
  std::erase_if(names, [with_tasks](const std::string& name) {
    return WorkloadRegistry::instance().find(name)->runs_tasks() != with_tasks;
  });
  return names;
}

std::vector<std::string> kinds_with_lanes() {
  std::vector<std::string> names = workload_kinds();
  std::erase_if(names, [](const std::string& name) { return !WorkloadRegistry::instance().find(name)->has_lanes; });
  return names;
}

void check_longest_message(u64 bytes, const TaskLimits& limits) {
  if (bytes <= limits.message_bytes) return;
  throw ConfigError("workload.message_bytes: " + too_many_packets(bytes, limits));
}

u32 count_or(const Parameters& keys, const std::string& name, u32 fallback) {
  const i64 count = keys.integer(name);
  return count > 0 ? static_cast<u32>(count) : fallback;
}

std::optional<Complaint> unless_given(const Parameters& keys, const std::string& name, const std::string& what,
                                      const std::string& example) {
  if (!keys.text(name).empty()) return {};
  return Complaint{"workload.kind", fmt::format("needs {} (workload.{} is not given)", what, name),
                   "add for example " + example};
}

namespace row_of {

Setting name() {
  return row::text("workload.name", std::nullopt,
                   "which one; `weft describe kernels`, `weft describe collectives` and `weft describe exchanges` list "
                   "them.");
}

Setting tasks() {
  return row::integer("workload.tasks", "tasks", 0, {0, most_tasks},
                      "number of tasks; 0 = one for each place on the nodes.");
}

Setting message_bytes(std::string help) {
  return row::integer("workload.message_bytes", "bytes", 40'960, {1, 1'000'000'000'000}, std::move(help));
}

Setting repetitions(std::string help) {
  return row::integer("workload.repetitions", "", 0, {0, 1'000'000'000}, std::move(help));
}

Setting collectives() {
  return row::text(
      "workload.collectives", "",
      "the MPI library whose rules choose the algorithm where it is auto: openmpi-4.1 or mpich-4.0; empty = "
      "the usual one of the operation.");
}

}  // namespace row_of

}  // namespace weft::workloads
