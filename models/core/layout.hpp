// Which routers and NICs this process simulates, where the far ends of their links are, and what may be promised about
// them.
#pragma once

#include <vector>

#include "engine/kernel.hpp"
#include "engine/partition.hpp"
#include "models/core/id_runs.hpp"
#include "models/topology/part_of.hpp"
#include "models/topology/topology.hpp"

namespace weft::models {

/// Entities of one part of a network. Global entity ids: routers 0..R-1; in indirect networks NICs R..R+N-1 (by node).
/// Local entities: the part's routers in ascending order, then (indirect) the NICs of the nodes on them, by node.
/// Nothing is kept of other parts but the far ends of links that lead there; where every node reaches every other
/// (Topology::joins_all) all their entities are far ends.
class Layout {
 public:
  /// `part_of`: which part simulates each router; `mine`: this part; `parts`: how many there are.
  Layout(const Topology& topology, const PartOf& part_of, u32 mine, u32 parts);

  [[nodiscard]] u32 local_routers() const { return static_cast<u32>(routers_.size()); }
  [[nodiscard]] u32 entities() const { return static_cast<u32>(routers_.size() + nics_.size()); }
  [[nodiscard]] RouterId router(u32 local) const { return RouterId(routers_[local]); }
  /// Node of a local NIC entity, or of a local router of a direct network.
  [[nodiscard]] NodeId node(u32 local) const {
    return NodeId(local < routers_.size() ? routers_[local] : nics_[local - routers_.size()]);
  }
  /// Local entity that hosts a node, or `none` if another part has it.
  [[nodiscard]] u32 entity_of(NodeId node) const;
  /// Local entity with a global number, or `none` if another part has it or there is no such entity.
  [[nodiscard]] u32 entity_of_global(u32 global) const;
  /// Address of the entity at the far end of a link of a local router, for router and node peers; of any router where
  /// every node reaches every other.
  [[nodiscard]] engine::Address address(const Peer& peer) const;
  [[nodiscard]] u64 cut_links() const { return cut_links_; }
  /// Classes of the links that leave this part, bit mask (Topology::link_class).
  [[nodiscard]] u64 cut_classes() const { return cut_classes_; }
  /// Kernel spec without lookahead and horizon.
  [[nodiscard]] engine::KernelSpec kernel_spec() const;

  static constexpr u32 none = IdRuns::none;
  /// Up to this many parts every part exchanges with every other, which spares the reduction that agrees on the time.
  static constexpr u32 all_to_all_parts = 8;

 private:
  void find_links_that_leave();
  void find_all_others();
  void find_remote(const PartOf& part_of);

  const Topology& topology_;
  u32 mine_, parts_;
  bool joins_all_;                         ///< Topology::joins_all
  std::vector<u32> routers_, nics_;        ///< routers by local entity; nodes by local entity - routers
  IdRuns router_ids_, nic_ids_;            ///< the same, to be found by id
  std::vector<engine::RemoteEnd> remote_;  ///< routers of other parts at the far ends of links, by their number
  std::vector<u32> neighbours_,
      linked_;  ///< parts to exchange with; which of them, by index, share a link with this one
  u64 cut_links_ = 0, cut_classes_ = 0;
};

/// The router graph for partitioning: vertex weight = Topology::work, edge weight = parallel links, each the dearer to
/// cut the shorter its latency: `class_ticks` of the classes of links, all alike if empty.
[[nodiscard]] engine::Graph router_graph(const Topology& topology, const std::vector<Tick>& class_ticks = {});

}  // namespace weft::models
