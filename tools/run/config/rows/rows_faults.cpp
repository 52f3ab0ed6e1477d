// Rows of [faults]: what has failed before the run begins.
#include "tools/run/config/check/effect_rules.hpp"
#include "tools/run/config/settings.hpp"

namespace weft::tools::rows {

EffectRules effects_of_faults() {
  return {{"faults.seed", [](const Config& config, const KindsInUse&) -> std::optional<NoEffect> {
             if (config.integer("faults.random_links") != 0 || config.integer("faults.random_nodes") != 0) return {};
             return NoEffect{"without faults.random_links or random_nodes", "remove it, or give one of them"};
           }}};
}

std::vector<Setting> faults() {
  constexpr i64 most = 4'294'967'295;
  return {
      row::integers(
          "faults.links", "", {0, most},
          "Failed links, each as two numbers: a router and the port there that the link is on; either end will "
          "do. [0, 2, 5, 0]: the link on port 2 of router 0 and that on port 0 of router 5. If a node is on the "
          "port, the node has failed. `weft topology --export` writes routers and ports."),
      row::integers("faults.routers", "", {0, most},
                    "Failed routers: all their links have failed, and the nodes in them or on them."),
      row::integers("faults.nodes", "", {0, most},
                    "Failed nodes: they send nothing, and packets to them are dropped at their source. The router of a "
                    "node goes on working."),
      row::integer("faults.random_links", "links", 0, {0, most},
                   "So many links between routers, drawn from those that have not failed, fail besides."),
      row::integer("faults.random_nodes", "nodes", 0, {0, most},
                   "So many nodes, drawn from those that have not failed, fail besides."),
      row::integer(
          "faults.seed", "", 1, {0},
          "Seed of faults.random_links and random_nodes, apart from simulation.seed: runs with several seeds see "
          "the same faults."),
  };
}

}  // namespace weft::tools::rows
