// Lattices that look alike from every node (Cayley graphs of commutative groups: twisted tori, circulants, midimews,
// triangular tori): what holds for all nodes is counted from one.
#pragma once

#include <mutex>

#include "models/topology/lattice.hpp"

namespace weft::models {

/// Derived classes give the wiring, distances and records, and closed forms where there are any.
class SymmetricLattice : public Lattice {
 public:
  [[nodiscard]] u32 nodes() const override { return nodes_; }
  [[nodiscard]] u32 routers() const override { return nodes_; }
  [[nodiscard]] u32 ports(RouterId /*router*/) const override { return 2 * dimensions(); }
  [[nodiscard]] RouterId router_of(NodeId node) const override { return RouterId{node.value()}; }
  [[nodiscard]] u32 port_of(NodeId /*node*/) const override { return 0; }
  [[nodiscard]] bool carries(RouterId /*router*/, u32 port) const override { return !one_way_ || port % 2 == 0; }
  [[nodiscard]] bool one_way() const override { return one_way_; }
  [[nodiscard]] u32 work(RouterId /*router*/) const override { return 1; }
  [[nodiscard]] std::string link_name(RouterId router, u32 port) const override;

  [[nodiscard]] u32 diameter() const override { return counted().diameter; }
  [[nodiscard]] double mean_distance() const override;
  /// Records are minimal; a derived class says otherwise.
  [[nodiscard]] u32 longest_record() const override { return diameter(); }
  [[nodiscard]] u64 router_links() const override { return u64{nodes_} * (wired_ports() / 2); }
  /// The mean route takes no more than all links carry, and what must cross a cut no more than its links.
  [[nodiscard]] double uniform_load_bound() const override;

 protected:
  /// The links between some nodes, `nodes` of them, and the others.
  struct Cut {
    u64 nodes, links;
  };

  /// `one_way`: packets go up only (topology.unidirectional).
  explicit SymmetricLattice(u32 nodes, bool one_way = false) : nodes_(nodes), one_way_(one_way) {}
  /// Before the name of a network: "unidirectional " if it is.
  [[nodiscard]] const char* one_way_text() const { return one_way_ ? "unidirectional " : ""; }
  /// Cuts that may be narrow.
  [[nodiscard]] virtual std::vector<Cut> cuts() const { return {}; }
  /// Ports of a router that have a link.
  [[nodiscard]] u32 wired_ports() const;
  /// Links of the narrowest cut into halves.
  [[nodiscard]] u64 narrowest_cut() const;
  /// Links that are cut if a ring of k routers, each joined to the one s further on, falls into its first `part` and
  /// the others.
  [[nodiscard]] static u64 links_cut(u64 k, u64 s, u64 part);

 private:
  struct Count {
    u32 diameter = 0;
    u64 sum = 0;  ///< of the distances of all others
  };
  /// Counted over the wiring from node 0, at the first call.
  [[nodiscard]] const Count& counted() const;

  u32 nodes_;
  bool one_way_;
  mutable std::once_flag once_;
  mutable Count count_;
};

}  // namespace weft::models
