// 3-stage Clos networks, folded: leaf switches with the nodes, and spines that join every leaf to every other.
#include <fmt/format.h>

#include "engine/error.hpp"
#include "models/topology/shape_check.hpp"
#include "models/topology/tree.hpp"

namespace weft::models {
namespace {

const std::string clos_in_words = "a Clos network";
constexpr i64 most_switch_ports = 65'536;

/// XGFT(2; n, r; 1, m): C(m, n, r) of m spines, n nodes a leaf and r leaves.
class Clos final : public Tree {
 public:
  Clos(u32 up, u32 down, u32 leaves)
      : Tree({{down, leaves}, {up, 0}}, fmt::format("Clos C({},{},{})", up, down, leaves),
             std::max<u64>(u64{up} + down, leaves)),
        up_(up),
        down_(down) {}

  std::string port_name(RouterId router, u32 port) const override {
    if (kind(router) != 0) return fmt::format("down to leaf {}", port);
    return port < up_ ? fmt::format("up to spine {}", port) : fmt::format("node port {}", port - up_);
  }
  std::vector<std::pair<std::string, std::string>> facts() const override {
    auto result = Tree::facts();
    // Clos, Bell System Technical Journal 1953; Benes 1965.
    const char* const blocking = up_ >= 2 * down_ - 1 ? "strictly non-blocking (m >= 2n - 1)"
                                 : up_ >= down_       ? "rearrangeably non-blocking (m >= n)"
                                                      : "blocking (m < n)";
    result.emplace_back("circuits between nodes", blocking);
    result.emplace_back("diameter, mean distance, load bound", "closed forms");
    return result;
  }

 private:
  u32 up_, down_;
};

std::unique_ptr<Topology> make_clos(const Parameters& keys) {
  if (const i64 stages = keys.has("stages") ? keys.integer("stages") : 3; stages != 3) {
    refuse_shape("stages", std::to_string(stages),
                 "networks of more stages are trees of more levels, which these keys do not describe",
                 "stages = 3, or kind = \"xgft\" with m and w");
  }
  const u32 down = checked_count(keys, "leaf_down", {1, most_switch_ports}, clos_in_words, 8);
  const u32 up = checked_count(keys, "leaf_up", {1, most_switch_ports}, clos_in_words, 4);
  u32 leaves = checked_count(keys, "leaves", {2, most_switch_ports}, clos_in_words, 8);
  if (u64{down} * leaves > most_nodes) {
    refuse_shape("leaves", std::to_string(leaves), fmt::format("more than {} nodes", most_nodes),
                 fmt::format("leaves = {}", most_nodes / down));
  }
  return std::make_unique<Clos>(up, down, leaves);
}

Setting clos_ports(const std::string& key, const std::string& help) {
  return row::integer("topology." + key, "ports", std::nullopt, {1, most_switch_ports}, help);
}

[[maybe_unused]] const bool clos_registered = TopologyRegistry::instance().add(
    "clos",
    {.help = "3-stage Clos network: leaf switches, each joined to every spine; keys: leaf_down, leaf_up, leaves",
     .family = "tree",
     .router = "multistage",
     .partition = "subtrees",
     .settings = {clos_ports("leaf_down", "nodes of a leaf switch."),
                  clos_ports("leaf_up", "links of a leaf switch to spines, one to each: as many as there are spines."),
                  row::integer("topology.leaves", "switches", std::nullopt, {1, most_switch_ports},
                               "number of leaf switches."),
                  row::integer("topology.stages", "", 3, {3, 5}, "stages; only 3, more levels are kind = \"xgft\".")},
     .make = make_clos,
     .example = {{"leaf_down", i64{3}}, {"leaf_up", i64{2}}, {"leaves", i64{4}}}});

}  // namespace
}  // namespace weft::models
