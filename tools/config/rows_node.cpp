// Rows of [node]: NICs, and the path between the tasks of a node.
#include "tools/config/settings.hpp"
#include "workloads/kind/workload_kind.hpp"
#include "workloads/program/work.hpp"

namespace weft::tools::rows {

std::vector<Setting> node() {
  std::vector<Setting> rows{
      row::integer("node.nics", "NICs", 1, {1, workloads::most_nics},
                   "NICs of each node, side by side: messages that leave by different ones do not wait for each other.")
          .only_with("topology.kind", {"ideal"}),
      row::choice("node.nic_policy", "task", {"task", "round-robin", "destination", "stripe"},
                  "Which NIC a message leaves by, unless its operation names one. task: that of its task's place among "
                  "the tasks of the node, modulo node.nics; round-robin: the node's messages take turns; destination: "
                  "the number of the destination task, modulo node.nics; stripe: all, an equal part of it each.")
          .only_with("topology.kind", {"ideal"})
          .only_with("node.nics"),
      row::real("node.path_latency_ns", "ns", 0, {0, 1e9},
                "Latency of messages between tasks of a node, in place of workload.local_latency_cycles; 0: not "
                "given."),
      row::real("node.path_gbps", "10^9 bit/s", 0, {0, 1e9},
                "Rate of the path that messages between tasks of a node take, one after the other; 0: no limit.")};
  for (Setting& setting : rows) {
    setting.conditions.insert(setting.conditions.begin(), {"workload.kind", workloads::workload_kinds(true)});
  }
  return rows;
}

}  // namespace weft::tools::rows
