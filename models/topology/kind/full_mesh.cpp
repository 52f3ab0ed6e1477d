// Full meshes: every router is joined to every other, and is a node.
#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "models/topology/shapes_near.hpp"
#include "models/topology/topology.hpp"

namespace weft::models {
namespace {

/// Port p of router r leads to router p, or to p + 1 from r on: a router has no port to itself.
class FullMesh final : public Topology {
 public:
  explicit FullMesh(u32 nodes) : nodes_(nodes) {}

  u32 nodes() const override { return nodes_; }
  u32 routers() const override { return nodes_; }
  u32 ports(RouterId) const override { return nodes_ - 1; }
  Peer peer(RouterId router, u32 port) const override {
    WEFT_ASSERT(port + 1 < nodes_);
    const u32 here = router.value(), there = port < here ? port : port + 1;
    return {Peer::Kind::router, there, here < there ? here : here - 1};
  }
  RouterId router_of(NodeId node) const override { return RouterId(node.value()); }
  u32 port_of(NodeId) const override { return 0; }
  bool direct() const override { return true; }

  u32 distance(NodeId from, NodeId to) const override { return from == to ? 0 : 1; }
  u32 diameter() const override { return 1; }
  double mean_distance() const override { return 1; }
  double uniform_load_bound() const override { return 1; }
  u64 router_links() const override { return u64{nodes_} * (nodes_ - 1) / 2; }
  std::string name() const override { return fmt::format("full mesh of {}", nodes_); }
  /// The next node: one link for each.
  std::optional<NodeRange> worst_case(NodeId from) const override { return NodeRange{(from.value() + 1) % nodes_, 1}; }

 private:
  u32 nodes_;
};

constexpr i64 most_mesh_nodes = 256;

std::unique_ptr<Topology> make_full_mesh(const Parameters& keys) {
  const i64 nodes = keys.integer("nodes");
  if (nodes == 0) {
    throw ConfigError(
        "topology.nodes is missing or 0 (a full mesh needs the number of its routers); use e.g. nodes = 16");
  }
  const i64 valid = std::clamp<i64>(nodes, 2, most_mesh_nodes);
  if (nodes != valid) {
    throw ConfigError(
        fmt::format("topology.nodes = {} is not possible (a full mesh joins 2 to {} routers); use nodes = {}", nodes,
                    most_mesh_nodes, valid));
  }
  return std::make_unique<FullMesh>(static_cast<u32>(nodes));
}

[[maybe_unused]] const bool full_mesh_registered = TopologyRegistry::instance().add(
    "full-mesh", {.help = "a link between any two routers; key: nodes",
                  .family = "full-mesh",
                  .router = "full-mesh",
                  .partition = "",
                  .settings = {row::integer("topology.nodes", "nodes", std::nullopt, {1, 1 << 30}, "number of nodes.")},
                  .make = make_full_mesh,
                  .example = {{"nodes", i64{6}}}});

[[maybe_unused]] const bool full_meshes_near_registered =
    add_shapes_near("full-mesh", [](const SizeWish& wish) -> std::vector<Parameters> {
      if (wish.nodes > u64{most_mesh_nodes}) return {};
      return {{{"nodes", static_cast<i64>(wish.nodes)}}};
    });

}  // namespace
}  // namespace weft::models
