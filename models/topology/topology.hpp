// What a topology is: counts, who is wired to whom, where the nodes sit, and the geometry that routing computes with.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/registry.hpp"
#include "engine/types.hpp"

namespace weft::models {

/// k-ary n-cube geometry (mesh or torus): router id = sum over d of coordinate[d] * (product of dims[0..d-1]).
/// Port 2*d goes up (+) in dimension d, port 2*d+1 goes down (-). A router is a node.
struct CubeGeometry {
  std::vector<u32> dims;  ///< routers in each dimension, [dimension]
  bool wraps = false;     ///< torus: every dimension is a ring
};

/// Extended generalised fat tree XGFT(h; m_1..m_h; w_1..w_h) (Ohring et al. 1995) with w_1 = 1.
/// Levels count from 0 (bottom switches). A switch of level l is (subtree, j): subtree = the number of the subtree with
/// m_1*...*m_{l+1} nodes below it, j < w_1*...*w_{l+1} its place among the switches on top of that subtree. Switch ids are
/// level by level from the bottom, inside a level subtree * (w_1*...*w_{l+1}) + j.
/// Ports of a level-l switch: up ports 0..w_{l+2}-1 (none at the top level), then down ports, one per child subtree or node:
/// port = up_ports(l) + digit. Parent through up port p: (subtree / m_{l+2}, p * (w_1*...*w_{l+1}) + j).
struct TreeGeometry {
  std::vector<u32> down;  ///< m_{l+1}: children of a level-l switch, [level]
  std::vector<u32> up;    ///< up ports of a level-l switch, [level]; the last is 0
};

/// Where a port leads.
struct Peer {
  enum class Kind : u8 { none, router, node } kind = Kind::none;
  u32 id = 0;    ///< router or node id
  u32 port = 0;  ///< port at the far router (unused for a node)
};

/// An arithmetic description of a network. Direct networks (every router is a node: cubes) have no node ports: injection and
/// consumption happen inside the router. Indirect networks (trees, crossbars) connect each node's NIC by a link to one port.
/// Virtual: used at set-up only, never per event.
class Topology {
 public:
  virtual ~Topology() = default;
  [[nodiscard]] virtual u32 nodes() const = 0;
  [[nodiscard]] virtual u32 routers() const = 0;
  /// Ports of a router that can carry a link (connected or not), without injection and consumption.
  [[nodiscard]] virtual u32 ports(RouterId router) const = 0;
  [[nodiscard]] virtual Peer peer(RouterId router, u32 port) const = 0;
  [[nodiscard]] virtual RouterId router_of(NodeId node) const = 0;
  /// Port of router_of(node) that the node's NIC is wired to; meaningless for direct networks.
  [[nodiscard]] virtual u32 port_of(NodeId node) const = 0;
  [[nodiscard]] virtual bool direct() const = 0;
  /// Links on a minimal route between two nodes; indirect networks count the two node links too (INSEE's convention).
  [[nodiscard]] virtual u32 distance(NodeId from, NodeId to) const = 0;
  /// Largest distance between two nodes.
  [[nodiscard]] virtual u32 diameter() const = 0;
  /// Mean distance over all ordered pairs of different nodes, from a closed form.
  [[nodiscard]] virtual double mean_distance() const = 0;
  /// Upper bound of the accepted load under uniform traffic in phits/node/cycle, from the bisection or the links of the
  /// narrowest level; 1 if consumption is the limit.
  [[nodiscard]] virtual double uniform_load_bound() const = 0;
  /// Links between routers, one per direction pair.
  [[nodiscard]] virtual u64 router_links() const = 0;
  /// Name as papers write it: "8x8 torus", "8:4,3-tree".
  [[nodiscard]] virtual std::string name() const = 0;
  /// Facts worth printing that only this kind has, as (label, value): switches per level, cost...
  [[nodiscard]] virtual std::vector<std::pair<std::string, std::string>> facts() const { return {}; }
  [[nodiscard]] virtual const CubeGeometry* cube() const { return nullptr; }
  [[nodiscard]] virtual const TreeGeometry* tree() const { return nullptr; }
};

/// Shape parameters from the config, all optional; each kind checks that it got what it needs.
struct TopologySpec {
  std::string kind;
  std::vector<i64> dims;  ///< mesh, torus
  i64 arity = 0;          ///< tree: k
  i64 levels = 0;         ///< tree, thin-tree: n
  i64 down = 0, up = 0;   ///< thin-tree: k, k'
  std::vector<i64> m, w;  ///< xgft
  i64 nodes = 0;          ///< crossbar
};

struct TopologyKind {
  std::string help;  ///< one line, with the keys it needs
  std::function<std::unique_ptr<Topology>(const TopologySpec&)> make;
};
using TopologyRegistry = Registry<TopologyKind>;

/// Builds the topology that `spec` names. Throws ConfigError with the key, the reason and the nearest valid choice.
[[nodiscard]] std::unique_ptr<Topology> make_topology(const TopologySpec& spec);

}  // namespace weft::models
