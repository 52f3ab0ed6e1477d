// What a topology is: counts, who is wired to whom, where the nodes sit, how far it is, and how to share it out. It
// answers for itself: nothing outside the files of a kind and of the routers made for it knows the kinds that there
// are.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/parameters.hpp"
#include "engine/base/registry.hpp"
#include "engine/base/types.hpp"
#include "models/topology/part_of.hpp"

namespace weft::models {

/// Where a port leads.
struct Peer {
  enum class Kind : u8 { none, router, node } kind = Kind::none;
  u32 id = 0;    ///< router or node id
  u32 port = 0;  ///< port at the far router (unused for a node)
};

/// Consecutive nodes.
struct NodeRange {
  u32 first = 0, count = 0;
};

/// An arithmetic description of a network. Virtual: used at set-up only, never per event.
/// Nodes sit inside their routers, where they inject and consume (tori: `direct`), or each has a NIC and a link of its
/// own to a port of a router, which may have no, one or many of them (trees, dragonflies).
/// A kind of topology that routers compute with is a class between this one and the file that registers it, which gives
/// its geometry: Grid, FatTree. Routers ask `whole()` with dynamic_cast for what they need.
/// Larger than others: it is the list of what may be asked of a network.
class Topology {
 public:
  virtual ~Topology() = default;
  [[nodiscard]] virtual u32 nodes() const = 0;
  [[nodiscard]] virtual u32 routers() const = 0;
  /// Ports of a router that can carry a link (connected or not), without injection and consumption inside it.
  [[nodiscard]] virtual u32 ports(RouterId router) const = 0;
  /// Far end of a link; seen from there, it leads back here.
  [[nodiscard]] virtual Peer peer(RouterId router, u32 port) const = 0;
  /// Whether the link of a port carries packets away from this router. One-way links do at one of their two ends;
  /// credits go back to it all the same.
  [[nodiscard]] virtual bool carries(RouterId /*router*/, u32 /*port*/) const { return true; }
  /// Whether there are one-way links.
  [[nodiscard]] virtual bool one_way() const { return false; }
  [[nodiscard]] virtual RouterId router_of(NodeId node) const = 0;
  /// Port of router_of(node) that the node's NIC is wired to; meaningless where nodes sit inside routers.
  [[nodiscard]] virtual u32 port_of(NodeId node) const = 0;
  /// Whether the link of port p leads to port p ^ 1 at its far end: ports 2d and 2d + 1 are the two directions of
  /// dimension d.
  [[nodiscard]] virtual bool opposite_ports() const { return false; }
  /// Whether nodes sit inside routers: node n is in router n then. Else each has a link of its own.
  [[nodiscard]] virtual bool direct() const = 0;
  /// Whether any node reaches any other without a link: there are neither ports nor routes, and only routers made for
  /// that fit (RouterKind::families).
  [[nodiscard]] virtual bool joins_all() const { return false; }
  /// The network without its faults (FaultyTopology): what has a geometry to compute with.
  [[nodiscard]] virtual const Topology& whole() const { return *this; }
  /// One of the planes that the network is made of, copies without links between them (PlanesTopology): itself if it is
  /// all there is. Router r and node n are r % plane().routers() and n % plane().nodes() there.
  [[nodiscard]] virtual const Topology& plane() const { return *this; }
  [[nodiscard]] u32 planes() const { return nodes() / plane().nodes(); }
  /// Whether a node can send and receive at all.
  [[nodiscard]] virtual bool works(NodeId /*node*/) const { return true; }
  /// Nodes of a router: inside it or on its ports.
  [[nodiscard]] virtual u32 nodes_at(RouterId router) const;

  /// Kinds of routers: those of one kind have the same number of ports, used alike (a level of a tree).
  [[nodiscard]] virtual u32 kinds() const { return 1; }
  /// Kind of a router, below `kinds`.
  [[nodiscard]] virtual u32 kind(RouterId /*router*/) const { return 0; }
  /// Ports of the routers of a kind.
  [[nodiscard]] virtual u32 kind_ports(u32 kind) const;
  /// Ports of the routers that have most.
  [[nodiscard]] u32 most_ports() const;

  /// How many there are of a kind.
  [[nodiscard]] virtual u64 kind_routers(u32 kind) const;

  /// Classes of links, by the name of their table in the config ([link.global]): the first is that of all links not
  /// said otherwise, the second that of the links between nodes and routers ([link.node]). Where nodes sit inside
  /// routers only machines in which the way there is a link too ask for it (RouterKind::any_rate).
  [[nodiscard]] virtual std::vector<std::string> link_classes() const { return {"link", "node"}; }
  /// Class of the link of a port, an index into `link_classes`; the same seen from the far end.
  [[nodiscard]] virtual u32 link_class(RouterId router, u32 port) const;
  /// Rate of the link of a port, those of nodes included, as a multiple of what [link] says of its class; the same seen
  /// from the far end. Other than 1 only where a fabric's file tells how fast its cables are.
  [[nodiscard]] virtual double link_rate(RouterId /*router*/, u32 /*port*/) const { return 1.0; }
  /// The different values of link_rate, ascending; empty if all are 1.
  [[nodiscard]] virtual std::vector<double> link_rates() const { return {}; }
  /// Speed of a link in the words of a fabric's file ("4xQDR"); empty if it says nothing.
  [[nodiscard]] virtual std::string link_speed(RouterId /*router*/, u32 /*port*/) const { return ""; }
  /// Class of the links between nodes and routers.
  [[nodiscard]] static constexpr u32 node_link_class() { return 1; }

  /// Links on a minimal route between two nodes; where nodes have links of their own, those two count too (INSEE's
  /// convention).
  [[nodiscard]] virtual u32 distance(NodeId from, NodeId to) const = 0;
  /// Largest distance between two nodes.
  [[nodiscard]] virtual u32 diameter() const = 0;
  /// Mean distance over all ordered pairs of different nodes, from a closed form or by counting.
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
  /// Coordinates that patterns and reports may use: nodes in each dimension, node = sum over d of coordinate[d] *
  /// (product of dims[0..d-1]). Empty if nodes have no place on a grid.
  [[nodiscard]] virtual std::vector<u32> grid() const { return {}; }
  /// Nodes of a group, if the network is made of groups of consecutive nodes; else 0.
  [[nodiscard]] virtual u32 group_nodes() const { return 0; }
  /// The nodes that a node sends to, any of them alike, in the traffic that shortest routes carry least of; none: not
  /// known. By default, all of a group send to the next group.
  [[nodiscard]] virtual std::optional<NodeRange> worst_case(NodeId from) const;
  /// A name for a port, for reports: "dimension 0+", "port 5". Machines in which nodes inside routers have links too
  /// number the router's port of such a link behind all others: "node port".
  [[nodiscard]] std::string port_name(RouterId router, u32 port) const;

  /// How to share the routers out over so many parts by arithmetic alone; no method if this kind has none better than a
  /// graph partitioner's, no parts if it does not work for so many.
  [[nodiscard]] virtual RegularPartition regular_partition(u32 /*parts*/) const { return {}; }
  /// What a partition should balance: what a router and its nodes have to do, compared with others.
  [[nodiscard]] virtual u32 work(RouterId router) const;

 protected:
  /// The name of a port below `ports`.
  [[nodiscard]] virtual std::string link_name(RouterId router, u32 port) const;
};

/// The family of networks without links (Topology::joins_all).
inline constexpr const char* linkless_family = "ideal";

/// A kind of topology as it registers itself.
struct TopologyKind {
  std::string help;       ///< one line: what it is
  std::string family;     ///< what routers compute with; those made for this word fit (RouterKind::families)
  std::string router;     ///< the router that router.kind = "auto" stands for
  std::string partition;  ///< method of its regular partition, a word for parallel.partition; empty: none
  std::vector<Setting>
      settings;  ///< its keys, "topology.dims"...; the same key of several kinds has the same type and range
  /// Makes one from the values of its keys. Throws ConfigError with the key, the reason and the nearest valid choice.
  std::function<std::unique_ptr<Topology>(const Parameters&)> make;
  Parameters example;  ///< a small one, for tests of every kind
};
using TopologyRegistry = Registry<TopologyKind>;

/// Which network: its kind and the values of its keys.
struct TopologySpec {
  std::string kind;
  Parameters keys;
};

/// Builds the topology that `spec` names. Throws ConfigError with the key, the reason and the nearest valid choice.
[[nodiscard]] std::unique_ptr<Topology> make_topology(const TopologySpec& spec);

}  // namespace weft::models
