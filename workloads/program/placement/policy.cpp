// Looks a policy up by name, and makes the checks that all policies share.
#include "workloads/program/placement/policy.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

#include "engine/base/error.hpp"
#include "engine/base/nearest.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/random.hpp"

namespace weft::workloads {
namespace {

bool covers_nodes(const std::vector<u32>& grid, u32 nodes) {
  u64 product = 1;
  for (const u32 size : grid) product = std::min<u64>(product * size, nodes + u64{1});
  return !grid.empty() && product == nodes;
}

/// What the network lacks; empty: nothing.
std::string missing(PlacementNeeds needs, const PlacementSpec& spec) {
  if (needs == PlacementNeeds::grid && !covers_nodes(spec.grid, spec.nodes)) return "no grid of nodes";
  const bool groups = spec.group_nodes > 0 && spec.group_nodes < spec.nodes;
  if (needs == PlacementNeeds::groups && !groups) return "no groups of nodes";
  if (needs == PlacementNeeds::distances && !spec.distance) return "no distances between nodes";
  return "";
}

bool is_permutation_of_nodes(const std::vector<NodeId>& order, u32 nodes) {
  std::vector<bool> seen(nodes, false);
  for (const NodeId node : order) {
    if (!node.valid() || node.value() >= nodes || seen[node.value()]) return false;
    seen[node.value()] = true;
  }
  return order.size() == nodes;
}

/// With the defaults of keys that are not given.
PlacementSpec with_defaults(const PlacementKind& kind, const PlacementSpec& spec) {
  PlacementSpec settled = spec;
  for (const Setting& setting : kind.settings) {
    if (!settled.keys.has(setting.name())) settled.keys.set(setting.name(), setting.fallback);
  }
  return settled;
}

}  // namespace

const PlacementKind& placement_kind(const std::string& policy) {
  const auto& registry = PlacementRegistry::instance();
  if (const PlacementKind* const kind = registry.find(policy)) return *kind;
  throw ConfigError(
      fmt::format("placement.policy \"{}\" is unknown (weft describe placements lists them); did you mean \"{}\"?",
                  shown(policy), nearest(policy, registry.names())));
}

void check_placement(const std::string& policy, const PlacementSpec& spec) {
  const PlacementKind& kind = placement_kind(policy);
  const std::string lacking = missing(kind.needs, spec);
  if (lacking.empty()) return;
  throw ConfigError(fmt::format("placement.policy = \"{}\" is not possible (this network has {}); use \"{}\"", policy,
                                lacking, kind.instead));
}

std::vector<NodeId> fill_order(const std::string& policy, const PlacementSpec& spec) {
  check_placement(policy, spec);
  const PlacementKind& kind = placement_kind(policy);
  std::vector<NodeId> order = kind.order(with_defaults(kind, spec));
  if (!is_permutation_of_nodes(order, spec.nodes))
    throw Bug(fmt::format("placement.policy = \"{}\" gives no permutation of the {} nodes", policy, spec.nodes));
  return order;
}

FilePlacement file_of_job(const std::string& policy, const PlacementSpec& spec, std::span<const JobTasks> jobs,
                          u32 job) {
  check_placement(policy, spec);
  const PlacementKind& kind = placement_kind(policy);
  return kind.of_job(with_defaults(kind, spec), jobs, job);
}

Placement place_among(const std::string& policy, const PlacementSpec& spec, const JobTasks& job,
                      std::span<const NodeId> free) {
  check_placement(policy, spec);
  const PlacementKind& kind = placement_kind(policy);
  std::vector<NodeId> working;
  for (const NodeId node : free) {
    if (!spec.works || spec.works(node.value())) working.push_back(node);
  }
  const bool enough =
      working.size() * u64{job.tasks_per_node} >= job.tasks;  // else who runs them says which has failed
  Placement placement = kind.among_free(with_defaults(kind, spec), job, enough ? working : free);
  WEFT_ASSERT(placement.node_of_task.size() == job.tasks);
  return placement;
}

Placement place_tasks(const std::string& policy, const PlacementSpec& spec, u32 tasks, u32 tasks_per_node) {
  if (placement_kind(policy).among_free) {
    check_tasks_fit(tasks, spec.nodes, tasks_per_node);
    return place_among(policy, spec, {"", tasks, tasks_per_node}, all_nodes(spec.nodes));
  }
  if (!placement_kind(policy).of_job) return in_order(fill_order(policy, spec), tasks, tasks_per_node);
  const JobTasks alone{"", tasks, tasks_per_node};
  return file_of_job(policy, spec, {&alone, 1}, 0).placement;
}

std::vector<NodeId> all_nodes(u32 nodes) {
  std::vector<NodeId> all;
  for (u32 node = 0; node < nodes; ++node) all.emplace_back(node);
  return all;
}

std::vector<u32> drawn_order(u64 seed, u32 count) {
  std::vector<u32> order(count);
  std::iota(order.begin(), order.end(), 0U);
  for (u32 left = count; left > 1; --left) {
    const u64 bits = engine::random_bits(seed, 0, left, engine::Use::placement);
    std::swap(order[left - 1], order[engine::scale_to(bits, left)]);
  }
  return order;
}

}  // namespace weft::workloads
