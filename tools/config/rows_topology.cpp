// Rows of [topology] and [link]: which network, its shape, and what a link does.
#include "tools/config/settings.hpp"

namespace weft::tools::rows {

std::vector<Setting> topology_and_link() {
  constexpr i64 most_nodes = 1 << 30;
  return {
      row::text("topology.kind", std::nullopt, "Kind of network; `weft describe topologies` lists them."),
      row::integers("topology.dims", "routers", {1, most_nodes},
                    "Mesh, torus: routers in each dimension, e.g. [8, 8]."),
      row::integer("topology.arity", "", std::nullopt, {1, 65'536},
                   "Tree: k of the k-ary n-tree; a switch has k children and k parents."),
      row::integer("topology.levels", "levels", std::nullopt, {1, 30}, "Tree, thin-tree: levels of switches."),
      row::integer("topology.down", "ports", std::nullopt, {1, 65'536},
                   "Thin-tree: k, ports of a switch towards the nodes."),
      row::integer("topology.up", "ports", std::nullopt, {1, 65'536},
                   "Thin-tree: k', ports of a switch towards the root."),
      row::integers("topology.m", "children", {1, 65'536},
                    "Xgft: children of a switch of each level, from the bottom."),
      row::integers("topology.w", "parents", {1, 65'536},
                    "Xgft: parents of a node (1) and of the switches of each level, from the bottom."),
      row::integer("topology.nodes", "nodes", std::nullopt, {1, most_nodes}, "Crossbar: nodes."),

      row::integer("link.latency_cycles", "cycles", 1, {1, 1'000'000}, "Time from one end of a link to the other.")
          .because("a link of no latency leaves no lookahead"),
      row::real("link.latency_ns", "ns", 0.0, {0.0, 1e9},
                "Latency in real time, instead of link.latency_cycles; needs simulation.tick_ps. 0 = not given."),
      row::real(
          "link.rate_gbps", "10^9 bit/s", 0.0, {0.0, 1e6},
          "Data rate: a cycle is the time of one phit on the link. 0 = not given, a cycle has no stated length or "
          "that of a tick."),
  };
}

}  // namespace weft::tools::rows
