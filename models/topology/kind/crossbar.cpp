// One ideal switch between all nodes: the yardstick that other networks are compared with.
#include <algorithm>
#include <fmt/format.h>

#include "models/topology/kind/fat_tree.hpp"

namespace weft::models {
namespace {

constexpr i64 max_crossbar_nodes = i64{1} << 31;

/// A tree of one level, so that tree routing works on it unchanged.
class Crossbar final : public FatTree {
 public:
  explicit Crossbar(u32 nodes) : FatTree({{nodes}, {0}}) {}

  u32 nodes() const override { return geometry().down[0]; }
  u32 routers() const override { return 1; }
  u32 ports(RouterId) const override { return nodes(); }
  Peer peer(RouterId, u32 port) const override {
    WEFT_ASSERT(port < nodes());
    return {Peer::Kind::node, port, 0};
  }
  RouterId router_of(NodeId) const override { return RouterId{0}; }
  u32 port_of(NodeId node) const override { return node.value(); }
  u32 distance(NodeId from, NodeId to) const override { return from == to ? 0 : 2; }
  u32 diameter() const override { return 2; }
  double mean_distance() const override { return 2.0; }
  double uniform_load_bound() const override { return 1.0; }
  u64 router_links() const override { return 0; }
  std::string name() const override { return std::to_string(nodes()) + "-port crossbar"; }
};

std::unique_ptr<Topology> make_crossbar(const Parameters& keys) {
  const i64 nodes = keys.integer("nodes");
  if (nodes == 0) {
    throw ConfigError("topology.nodes is missing or 0 (a crossbar needs the number of its ports); use e.g. nodes = 64");
  }
  const i64 valid = std::clamp<i64>(nodes, 2, max_crossbar_nodes);
  if (nodes != valid) {
    throw ConfigError(fmt::format(
        "topology.nodes = {} is not possible (a crossbar joins 2 to 2147483648 nodes); use nodes = {}", nodes, valid));
  }
  return std::make_unique<Crossbar>(static_cast<u32>(nodes));
}

[[maybe_unused]] const bool crossbar_registered = TopologyRegistry::instance().add(
    "crossbar", {.help = "one switch between all nodes; key: nodes",
                 .family = "tree",
                 .router = "multistage",
                 .partition = "subtrees",
                 .settings = {row::integer("topology.nodes", "nodes", std::nullopt, {1, 1 << 30}, "number of nodes.")},
                 .make = make_crossbar,
                 .example = {{"nodes", i64{5}}}});

}  // namespace
}  // namespace weft::models
