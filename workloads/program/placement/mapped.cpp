// Placement "mapped": tasks that send each other much are placed near each other.
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "workloads/program/placement/mapping.hpp"
#include "workloads/program/placement/policy.hpp"

namespace weft::workloads {
namespace {

TaskTraffic traffic_of(const PlacementSpec& spec, u32 tasks) {
  const std::string path = spec.keys.text("matrix_path");
  if (!path.empty()) return traffic_of_file(path, tasks);
  if (spec.traffic) return spec.traffic();
  throw ConfigError(
      "placement.policy = \"mapped\" needs the traffic between the processes of a pattern (only tasks have messages "
      "that can be counted before the run); give placement.matrix_path");
}

Placement mapped(const PlacementSpec& spec, const JobTasks& job, std::span<const NodeId> free) {
  constexpr u64 million = 1'000'000;
  const TaskTraffic traffic = traffic_of(spec, job.tasks);
  WEFT_ASSERT(traffic.tasks == job.tasks);
  const NodeDistances distances(free, spec.router_of, spec.distance);
  const Mapping found =
      map_tasks(traffic, distances, job.tasks_per_node, static_cast<u64>(spec.keys.integer("map_effort")) * million);
  if (spec.cost != nullptr) *spec.cost += found.cost;
  Placement placement;
  for (const u32 place : found.node_of_task) placement.node_of_task.push_back(free[place]);
  return placement;
}

[[maybe_unused]] const bool mapped_registered = PlacementRegistry::instance().add(
    "mapped",
    {.help = "tasks that send each other much near each other, by what placement.matrix_path or the workload says",
     .order =
         [](const PlacementSpec& spec) {
           return mapped(spec, {"", spec.nodes, 1}, all_nodes(spec.nodes)).node_of_task;
         },
     .settings = {row::path("placement.matrix_path",
                            "bytes between tasks, as workload.matrix_path takes them: a table of `weft trace stats "
                            "--out FILE.csv`, or a row for each task. Not given: the messages of the workload are "
                            "counted."),
                  row::integer("placement.map_effort", "", 100, {0, 1'000'000},
                               "millions of distances that the search looks at, at most: some 0.5 s for each 100.")},
     .needs = PlacementNeeds::distances,
     .of_network = true,
     .among_free = mapped});

}  // namespace
}  // namespace weft::workloads
