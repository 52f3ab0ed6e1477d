// Policies of placement: the order in which tasks fill the nodes of a network; one file per policy, found by name.
// docs/adding-a-placement.md adds one.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engine/base/parameters.hpp"
#include "engine/base/registry.hpp"
#include "engine/base/types.hpp"
#include "workloads/program/placement/mapping.hpp"
#include "workloads/program/placement/placement.hpp"

namespace weft::workloads {

/// A node that a file gives by its name.
struct NamedNode {
  u32 node = 0;
  u64 line = 0;
};

/// What a policy knows of the network.
struct PlacementSpec {
  u32 nodes = 0;
  u64 seed = 1;                                        ///< of policies that draw
  std::vector<u32> grid = {};                          ///< nodes in each dimension, the first fastest; empty: no grid
  u32 group_nodes = 0;                                 ///< nodes of a group of consecutive ones; 0: there are none
  std::function<u32(u32 node)> router_of = {};         ///< number of the router of a node; empty: not known
  std::function<u32(u32 from, u32 to)> distance = {};  ///< links between two nodes; empty: there are none
  std::function<bool(u32 node)> works = {};            ///< whether a node can have tasks; empty: all can
  std::function<TaskTraffic()> traffic = {};           ///< what the tasks send each other; empty: not known
  MappingCost* cost = nullptr;                         ///< a mapping adds what it costs, if anybody asks
  /// Nodes that lines of a text (of a file, as errors name it) name, in its order; empty: nodes have no names.
  std::function<std::vector<NamedNode>(const std::string& text, const std::string& file)> nodes_named = {};
  Parameters keys = {};  ///< all of [placement], by name; missing ones read as their defaults
};

/// What a network must have for a policy.
enum class PlacementNeeds : u8 { nothing, grid, groups, distances };

struct PlacementKind {
  static constexpr ChoiceKey choice{"placement.policy"};

  std::string help;  ///< one line
  /// The nodes in the order in which tasks fill them: a permutation of all of them, the same on any rank. What it needs
  /// is there when it is called.
  std::function<std::vector<NodeId>(const PlacementSpec&)> order;
  std::vector<Setting> settings = {};  ///< its own keys, "placement.shift_nodes"...
  PlacementNeeds needs = PlacementNeeds::nothing;
  std::string instead = "consecutive";  ///< the policy nearest to it for networks without that
  bool of_network = false;              ///< the order depends on more than the number of nodes and the seed
  /// Where the tasks of one of some jobs are: of policies that say so, not only in which order nodes are filled.
  std::function<FilePlacement(const PlacementSpec&, std::span<const JobTasks> jobs, u32 job)> of_job = {};
  /// Where the tasks of a job are among the nodes that no job before has taken, which are as many as it needs: of
  /// policies for which tasks differ.
  std::function<Placement(const PlacementSpec&, const JobTasks& job, std::span<const NodeId> free)> among_free = {};
};
using PlacementRegistry = Registry<PlacementKind>;

/// The policy of a name. Throws ConfigError if there is none, with the nearest.
[[nodiscard]] const PlacementKind& placement_kind(const std::string& policy);
/// Throws ConfigError as that, and where the network has no grid or groups that the policy needs, with what to use
/// instead.
void check_placement(const std::string& policy, const PlacementSpec& spec);
/// The order of a policy. Throws as check_placement and as the policy itself; Bug if it is no permutation of the nodes.
[[nodiscard]] std::vector<NodeId> fill_order(const std::string& policy, const PlacementSpec& spec);
/// What a policy that has `of_job` says of the tasks of a job. Throws as fill_order.
[[nodiscard]] FilePlacement file_of_job(const std::string& policy, const PlacementSpec& spec,
                                        std::span<const JobTasks> jobs, u32 job);
/// What a policy that has `among_free` says of the tasks of a job. Throws as fill_order.
[[nodiscard]] Placement place_among(const std::string& policy, const PlacementSpec& spec, const JobTasks& job,
                                    std::span<const NodeId> free);
/// The tasks of an application that has the network for itself. Throws as fill_order and check_tasks_fit.
[[nodiscard]] Placement place_tasks(const std::string& policy, const PlacementSpec& spec, u32 tasks,
                                    u32 tasks_per_node = 1);

/// All nodes by number.
[[nodiscard]] std::vector<NodeId> all_nodes(u32 nodes);

/// 0..count-1 in a random order, a function of `seed`.
[[nodiscard]] std::vector<u32> drawn_order(u64 seed, u32 count);

}  // namespace weft::workloads
