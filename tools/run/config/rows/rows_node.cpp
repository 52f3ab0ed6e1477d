// Rows of [node], NICs and the path between the tasks of a node, and of the planes that NICs are in.
#include "models/topology/planes.hpp"
#include "tools/run/config/settings.hpp"
#include "workloads/generator/kind/workload_kind.hpp"
#include "workloads/program/nic_policy/nic_policy.hpp"
#include "workloads/program/placement/placement.hpp"

namespace weft::tools::rows {

namespace {

/// Kinds of topology with links.
std::vector<std::string> linked_kinds() {
  const auto& registry = models::TopologyRegistry::instance();
  std::vector<std::string> names = registry.names();
  std::erase_if(names, [&](const std::string& name) { return registry.find(name)->family == models::linkless_family; });
  return names;
}

}  // namespace

std::vector<Setting> node() {
  const std::vector<std::string> linked = linked_kinds();
  std::vector<Setting> rows{
      row::integer(
          "topology.planes", "planes", 1, {1, models::most_planes},
          "Copies of the network without links between them; each node has node.nics / topology.planes NICs in "
          "each.")
          .only_with("topology.kind", linked),
      row::integer("node.tasks", "tasks", 1, {1, workloads::most_tasks_per_node},
                   "Places for tasks on each node; workload.tasks_per_node says otherwise for a job."),
      row::integer("node.nics", "NICs", 1, {1, workloads::most_nics},
                   "NICs of each node, side by side: messages that leave by different ones do not wait for each other. "
                   "Each is a node of the topology, NIC i in plane i modulo topology.planes."),
      row::choice(
          "node.nic_policy", workloads::default_nic_policy(), workloads::NicPolicyRegistry::instance().names(),
          "Which NIC a message leaves by, unless its operation names one; `weft describe nic-policies` explains "
          "them.")
          .only_with("node.nics"),
      row::choice("node.nic_arrival", "same", {"same", "task"},
                  "By which NIC a message comes: that with the number of the one that it left by; or the one of its "
                  "task's place at the node, in the same plane. Messages in stripes: the same.")
          .only_with("node.nics"),
      row::choice("node.attachment", "adjacent", {"adjacent", "rails"},
                  "Where in a plane the NICs of a node are. adjacent: side by side; rails: NIC k of every node of a "
                  "group on leaf switch k of the group, so many nodes as leaf switches have ports for.")
          .only_with("topology.kind", linked)
          .only_with("node.nics"),
      row::integer("node.nic_latency_cycles", "cycles", 1, {1, 1'000'000},
                   "From a node's first NIC, where its tasks are, to any other of its NICs, and back.")
          .because("a path of no latency leaves open what comes first")
          .only_with("topology.kind", linked)
          .only_with("node.nics"),
      row::real("node.path_latency_ns", "ns", 0, {0, 1e9},
                "Latency of messages between tasks of a node, in place of workload.local_latency_cycles; 0: not "
                "given."),
      row::real("node.path_gbps", "10^9 bit/s", 0, {0, 1e9},
                "Rate of the path that messages between tasks of a node take; 0: no limit."),
      row::choice(
          "node.path_shape", "bus", {"bus", "non-blocking"},
          "What that path is. bus: messages of a node take it one after the other; non-blocking: each task has a "
          "sending and a receiving side of that rate, as accelerators behind a switch of their own have.")
          .only_with("node.path_gbps")};
  for (Setting& setting : rows) {
    setting.conditions.insert(setting.conditions.begin(), {"workload.kind", workloads::workload_kinds(true)});
  }
  return rows;
}

}  // namespace weft::tools::rows
