// Lattices that look alike from every node (Cayley graphs of commutative groups: twisted tori, circulants, midimews,
// triangular tori): what holds for all nodes is counted from one.
#pragma once

#include <mutex>
#include <vector>

#include "models/topology/lattice.hpp"

namespace weft::models {

/// Derived classes give the wiring (`moved`), distances and records, and closed forms where there are any.
class SymmetricLattice : public Lattice {
 public:
  [[nodiscard]] u32 nodes() const override { return nodes_; }
  /// Node that a port leads to; the node itself if the port has no link.
  [[nodiscard]] virtual u32 moved(u32 node, u32 port) const = 0;
  [[nodiscard]] Peer peer(RouterId router, u32 port) const override;
  [[nodiscard]] bool carries(RouterId /*router*/, u32 port) const override { return !one_way_ || port % 2 == 0; }
  [[nodiscard]] bool one_way() const override { return one_way_; }
  [[nodiscard]] std::string link_name(RouterId router, u32 port) const override;

  [[nodiscard]] u32 diameter() const override { return counted().diameter; }
  [[nodiscard]] double mean_distance() const override;
  /// Records are minimal; a derived class says otherwise.
  [[nodiscard]] u32 longest_record() const override { return diameter(); }
  [[nodiscard]] u64 router_links() const override { return u64{nodes_} * (wired_ports() / 2); }
  /// The mean route takes no more than all links carry, and what must cross a cut no more than its links.
  [[nodiscard]] double uniform_load_bound() const override;

 protected:
  /// `one_way`: packets go up only (topology.unidirectional).
  explicit SymmetricLattice(u32 nodes, bool one_way = false) : nodes_(nodes), one_way_(one_way) {}
  /// Before the name of a network: "unidirectional " if it is.
  [[nodiscard]] const char* one_way_text() const { return one_way_ ? "unidirectional " : ""; }
  /// End of a link that is further up in its dimension.
  [[nodiscard]] u32 upper_end(RouterId router, u32 port) const {
    return port % 2 == 0 ? moved(router.value(), port) : router.value();
  }
  /// Distances from node 0, [node], where the network keeps them (HopTable); null: they are not kept.
  [[nodiscard]] virtual const std::vector<u32>* kept_hops() const { return nullptr; }
  /// Ports of a router that have a link.
  [[nodiscard]] u32 wired_ports() const;
  /// Links that are cut if a ring of k routers, each joined to the one s further on, falls into its first `part` and
  /// the others.
  [[nodiscard]] static u64 links_cut(u64 k, u64 s, u64 part);

 private:
  struct Count {
    u32 diameter = 0;
    u64 sum = 0;  ///< of the distances of all others
  };
  /// Counted from node 0 at the first call, over the wiring if distances are not kept.
  [[nodiscard]] const Count& counted() const;

  u32 nodes_;
  bool one_way_;
  mutable std::once_flag once_;
  mutable Count count_;
};

}  // namespace weft::models
