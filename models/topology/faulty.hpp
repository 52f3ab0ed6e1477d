// A network with failed links, routers and nodes: the wiring of another without them, everything else as it is there.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/topology/forwarded.hpp"

namespace weft::models {

/// What has failed, before the first cycle and for the whole run.
struct FaultSpec {
  /// Router, port, router, port... : one end of each failed link; of a node's link: the node.
  std::vector<i64> links = {};
  std::vector<i64> routers = {};  ///< failed routers: all their links and nodes
  std::vector<i64> nodes = {};
  u64 random_links = 0;  ///< further links between routers, drawn from those that are left
  u64 random_nodes = 0;  ///< further nodes, likewise
  u64 seed = 1;          ///< of the draws: the same links and nodes on every process
  [[nodiscard]] bool any() const {
    return !links.empty() || !routers.empty() || !nodes.empty() || random_links > 0 || random_nodes > 0;
  }
};

/// How far the routers that are left can still reach each other.
struct Connectivity {
  u32 groups = 0;         ///< of routers that have not failed and reach each other
  u32 nodes = 0;          ///< that have not failed
  u32 largest_nodes = 0;  ///< those in the group that has most
  /// Whether every node that has not failed reaches every other.
  [[nodiscard]] bool connected() const { return largest_nodes == nodes; }
};

/// `peer` says none at both ends of a failed link, and for nodes that have failed or whose link has. Distances,
/// diameter and load bound stay those of the whole network, as do the kinds of routers, their ports, and partitions.
class FaultyTopology final : public ReducedTopology {
 public:
  /// Throws ConfigError with the key if a link, router or node does not exist, or more are to fail than there are.
  FaultyTopology(std::unique_ptr<Topology> whole, const FaultSpec& spec);

  [[nodiscard]] u64 failed_links() const { return failed_links_; }  ///< between routers
  [[nodiscard]] u32 failed_nodes() const { return failed_nodes_; }
  [[nodiscard]] u32 failed_routers() const { return failed_routers_; }
  [[nodiscard]] bool link_failed(RouterId router, u32 port) const;
  /// Whether a router has failed links.
  [[nodiscard]] bool damaged(RouterId router) const { return damaged_[router.value()]; }
  [[nodiscard]] Connectivity connectivity() const;

  [[nodiscard]] const Topology& whole() const override { return inner(); }
  [[nodiscard]] bool works(NodeId node) const override { return !node_failed_[node.value()]; }
  [[nodiscard]] Peer peer(RouterId router, u32 port) const override;
  [[nodiscard]] u64 router_links() const override { return whole().router_links() - failed_links_; }
  /// "8x8 torus with 2 failed links and 1 failed node".
  [[nodiscard]] std::string name() const override;
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> facts() const override;

  [[nodiscard]] std::optional<NodeRange> worst_case(NodeId from) const override { return whole().worst_case(from); }
  [[nodiscard]] RegularPartition regular_partition(u32 parts) const override {
    return whole().regular_partition(parts);
  }

 private:
  [[nodiscard]] static u64 end_of(u32 router, u32 port) { return u64{router} << 32 | port; }
  void fail_links(const std::vector<i64>& ends);
  void fail_routers(const std::vector<i64>& routers);
  void fail_nodes(const std::vector<i64>& nodes);
  /// The link of a port, seen from both ends; that of a node: the node.
  void fail_port(u32 router, u32 port);
  void fail_node(u32 node);
  void fail_random_links(u64 count, u64 seed);
  void fail_random_nodes(u64 count, u64 seed);
  /// Routers that each of them reaches and is reached by, [router]: a number of the group, from 0.
  [[nodiscard]] std::vector<u32> groups_of_routers() const;
  /// Calls f(router, port) for one end of every link between routers that has not failed, always in the same order.
  template <class F>
  void for_each_link(F&& f) const;

  std::vector<u64> failed_ends_;  ///< sorted
  std::vector<bool> damaged_;     ///< [router]
  std::vector<bool> node_failed_;
  u64 failed_links_ = 0;
  u32 failed_nodes_ = 0, failed_routers_ = 0;
};

/// `whole` itself if nothing is to fail.
[[nodiscard]] std::unique_ptr<Topology> with_faults(std::unique_ptr<Topology> whole, const FaultSpec& spec);

}  // namespace weft::models
