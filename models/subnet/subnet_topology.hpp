// A fabric as a topology: whatever its cables are, packets can be simulated on it, and everything that asks topologies
// works on it.
#pragma once

#include <optional>

#include "models/subnet/forwarding.hpp"
#include "models/subnet/sl_to_vl.hpp"
#include "models/subnet/subnet.hpp"
#include "models/topology/topology.hpp"

namespace weft::models {

/// Whether a network is sound as it is cabled and routed.
struct NetworkVerdict {
  std::string word;                   ///< "sound", "works" or "broken"; empty where nobody has judged it
  std::string text;                   ///< the same for people
  std::vector<std::string> findings;  ///< what is wrong, a line each
};

/// Router r is switch r, its port p is port p + 1 there. Nodes are the hosts with a cable, in their order, each with a
/// link of its own. A cable from a switch to itself is left out. Distances come from breadth-first searches and are
/// kept for pairs of switches with hosts; there are no closed forms.
/// Larger than others: what a file says is kept once, beside what is looked up in it.
class SubnetTopology : public Topology {
 public:
  /// Pairs of switches with hosts at most (two bytes each).
  static constexpr u64 most_pairs = u64{1} << 28;

  /// Throws ConfigError for fewer than two nodes, more than most_pairs, and hosts in several parts that are not
  /// connected.
  /// `own_rates`: links are as fast as their cables, compared with the usual one of hosts; else all alike.
  SubnetTopology(Subnet subnet, std::string name, std::optional<ForwardingTables> tables,
                 std::optional<SlToVl> sl_to_vl = {}, bool own_rates = true);

  [[nodiscard]] const Subnet& subnet() const { return subnet_; }
  /// Forwarding tables that the config names, or nullptr. Their targets are addresses of hosts: host_of(node).
  [[nodiscard]] const ForwardingTables* tables() const { return tables_ ? &*tables_ : nullptr; }
  /// Virtual lanes of service levels that the config names, or nullptr.
  [[nodiscard]] const SlToVl* sl_to_vl() const { return sl_to_vl_ ? &*sl_to_vl_ : nullptr; }
  [[nodiscard]] u32 host_of(NodeId node) const { return host_of_[node.value()]; }
  /// The node of a host; nothing if that has no cable.
  [[nodiscard]] std::optional<NodeId> node_of(u32 host) const;
  /// A node, and the line of the text that names it.
  struct NamedNode {
    NodeId node;
    u64 line = 0;
  };
  /// Nodes that lines of a text name, as those of `file`, in its order, none twice. Throws InputError.
  [[nodiscard]] virtual std::vector<NamedNode> nodes_named(const std::string& text, const std::string& file) const;
  /// Takes as long as examining the fabric.
  [[nodiscard]] virtual NetworkVerdict verdict() const { return {}; }

  u32 nodes() const override { return static_cast<u32>(host_of_.size()); }
  u32 routers() const override { return subnet_.switches(); }
  u32 ports(RouterId router) const override { return subnet_.switch_at(router.value()).ports; }
  Peer peer(RouterId router, u32 port) const override;
  bool carries(RouterId router, u32 port) const override { return subnet_.carries(router.value(), port + 1); }
  bool one_way() const override { return subnet_.one_way(); }
  RouterId router_of(NodeId node) const override;
  u32 port_of(NodeId node) const override;
  bool direct() const override { return false; }

  u32 kinds() const override { return static_cast<u32>(kind_ports_.size()); }
  u32 kind(RouterId router) const override { return kind_[router.value()]; }
  u32 kind_ports(u32 kind) const override { return kind_ports_[kind]; }

  double link_rate(RouterId router, u32 port) const override {
    return rates_.empty() ? 1.0 : rates_[subnet_.channel(router.value(), port + 1)];
  }
  std::vector<double> link_rates() const override;
  std::string link_speed(RouterId router, u32 port) const override {
    return subnet_.speed(subnet_.channel(router.value(), port + 1)).name;
  }

  u32 distance(NodeId from, NodeId to) const override;
  u32 diameter() const override { return diameter_; }
  double mean_distance() const override { return mean_distance_; }
  double uniform_load_bound() const override;
  u64 router_links() const override { return router_links_; }
  std::string name() const override { return name_; }
  std::vector<std::pair<std::string, std::string>> facts() const override;
  std::string link_name(RouterId router, u32 port) const override;

 private:
  void sort_into_kinds();
  void measure_distances();
  void add_up_rates();
  [[nodiscard]] u32 switch_of(u32 node) const { return subnet_.peer_of_host(host_of_[node]).id; }

  Subnet subnet_;
  std::string name_;
  std::optional<ForwardingTables> tables_;
  std::optional<SlToVl> sl_to_vl_;
  std::vector<u32> host_of_;   ///< [node]
  std::vector<u32> node_of_;   ///< [host]
  std::vector<double> rates_;  ///< [channel]; empty: all 1
  std::vector<u32> kind_, kind_ports_;
  std::vector<u32> leaf_of_;  ///< [switch]: number among those with hosts
  u64 leaves_ = 0;
  std::vector<u16> hops_;  ///< [leaf][leaf]: links between switches
  u32 diameter_ = 0;
  double mean_distance_ = 0;
  u64 router_links_ = 0, router_channels_ = 0;  ///< a link has two, a one-way link one
  double router_rate_ = 0;                      ///< of the channels between routers together
  double node_rate_ = 1;                        ///< mean over the nodes of what the link of one carries, 1 at most
};

}  // namespace weft::models
