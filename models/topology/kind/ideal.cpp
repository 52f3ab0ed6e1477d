// The network without a network: every node reaches every other directly. What a router made for it (router.kind =
// "ideal") charges for a message is all that there is.
#include <fmt/format.h>

#include "models/topology/shape_check.hpp"
#include "models/topology/topology.hpp"

namespace weft::models {
namespace {

/// Node n sits in router n, which has no ports.
class Ideal final : public Topology {
 public:
  explicit Ideal(u32 nodes) : nodes_(nodes) {}

  u32 nodes() const override { return nodes_; }
  u32 routers() const override { return nodes_; }
  u32 ports(RouterId) const override { return 0; }
  Peer peer(RouterId, u32) const override { return {}; }
  RouterId router_of(NodeId node) const override { return RouterId(node.value()); }
  u32 port_of(NodeId) const override { return 0; }
  bool direct() const override { return true; }
  bool joins_all() const override { return true; }

  u32 distance(NodeId from, NodeId to) const override { return from == to ? 0 : 1; }
  u32 diameter() const override { return 1; }
  double mean_distance() const override { return 1; }
  double uniform_load_bound() const override { return 1; }
  u64 router_links() const override { return 0; }
  std::string name() const override { return fmt::format("ideal network of {}", nodes_); }

  /// Blocks of consecutive nodes: any parts have as much to say to each other.
  RegularPartition regular_partition(u32 parts) const override {
    RegularPartition blocks{.method = "block", .part_of = {}, .even = true, .impossible_because = {}};
    if (parts > nodes_) {
      blocks.impossible_because = fmt::format("there are {} nodes", nodes_);
    } else {
      blocks.part_of = [parts, nodes = nodes_](u32 router) { return static_cast<u32>(u64{router} * parts / nodes); };
    }
    return blocks;
  }

 private:
  u32 nodes_;
};

std::unique_ptr<Topology> make_ideal(const Parameters& keys) {
  return std::make_unique<Ideal>(checked_count(keys, "nodes", {1, 1 << 30}, "an ideal network", 64));
}

[[maybe_unused]] const bool ideal_registered = TopologyRegistry::instance().add(
    "ideal", {.help = "no links and no contention: every node reaches every other directly, at the costs of table "
                      "[ideal]; key: nodes",
              .family = linkless_family,
              .router = "ideal",
              .partition = "block",
              .settings = {nodes_row()},
              .make = make_ideal,
              .example = {{"nodes", i64{6}}}});

}  // namespace
}  // namespace weft::models
