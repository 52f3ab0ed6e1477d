// Twin tori of n dimensions (F. Andujar, J. Villar, J. Sanchez, F. Alfaro, J. Duato, "Building 3D torus using
// low-profile expansion cards", IEEE Trans. Computers 63(11), 2014): each torus node is two cards of n + 1 ports.
#pragma once

#include <vector>

#include "models/topology/topology.hpp"

namespace weft::models {

/// Torus node t, numbered as in a torus (dimension 0 fastest), is the cards 2t and 2t + 1, joined by an internal link
/// of the class "internal"; a card is a router with a node of the network inside. The 2n directions d0-, d0+, d1-,
/// d1+... are shared out in this order: the first n are the ports 0 to n - 1 of card 0, the others those of card 1;
/// port n is the internal one. So an odd n splits its middle dimension: who goes down in it leaves by card 0 and comes
/// in by card 1 of the next torus node, who goes up the other way about.
class TwinTorus : public Topology {
 public:
  explicit TwinTorus(std::vector<u32> dims);

  [[nodiscard]] u32 dimensions() const { return static_cast<u32>(dims_.size()); }
  /// Torus nodes along dimension d.
  [[nodiscard]] u32 size(u32 d) const { return dims_[d]; }
  /// The dimension that is split, or `dimensions()` if none is.
  [[nodiscard]] u32 middle() const { return dimensions() % 2 == 1 ? dimensions() / 2 : dimensions(); }
  [[nodiscard]] static u32 card(u32 router) { return router % 2; }
  [[nodiscard]] u32 coordinate(u32 router, u32 d) const { return router / 2 / strides_[d] % dims_[d]; }
  /// Card whose port leads up or down in dimension d, and which port that is.
  [[nodiscard]] u32 card_towards(u32 d, bool up) const { return direction(d, up) / dimensions(); }
  [[nodiscard]] u32 port_towards(u32 d, bool up) const { return direction(d, up) % dimensions(); }
  [[nodiscard]] u32 internal_port() const { return dimensions(); }

  [[nodiscard]] u32 nodes() const override { return 2 * torus_nodes_; }
  [[nodiscard]] u32 routers() const override { return 2 * torus_nodes_; }
  [[nodiscard]] u32 ports(RouterId /*router*/) const override { return dimensions() + 1; }
  [[nodiscard]] Peer peer(RouterId router, u32 port) const override;
  [[nodiscard]] RouterId router_of(NodeId node) const override { return RouterId(node.value()); }
  [[nodiscard]] u32 port_of(NodeId /*node*/) const override { return 0; }
  [[nodiscard]] bool direct() const override { return true; }
  [[nodiscard]] u32 kinds() const override { return 2; }
  [[nodiscard]] u32 kind(RouterId router) const override { return card(router.value()); }
  [[nodiscard]] u32 kind_ports(u32 /*kind*/) const override { return dimensions() + 1; }
  [[nodiscard]] u64 kind_routers(u32 /*kind*/) const override { return torus_nodes_; }
  [[nodiscard]] std::vector<std::string> link_classes() const override { return {"link", "node", "internal"}; }
  [[nodiscard]] u32 link_class(RouterId /*router*/, u32 port) const override { return port == internal_port() ? 2 : 0; }

  [[nodiscard]] u32 distance(NodeId from, NodeId to) const override;
  [[nodiscard]] u32 diameter() const override;
  [[nodiscard]] double mean_distance() const override;
  /// From the links of the tightest dimension, and from the internal ones, on shortest routes.
  [[nodiscard]] double uniform_load_bound() const override;
  [[nodiscard]] u64 router_links() const override;
  [[nodiscard]] std::string name() const override;
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> facts() const override;
  /// Twins are coordinate 0, the dimensions of the torus the others.
  [[nodiscard]] std::vector<u32> grid() const override;
  [[nodiscard]] std::string link_name(RouterId router, u32 port) const override;
  [[nodiscard]] RegularPartition regular_partition(u32 parts) const override;
  [[nodiscard]] u32 work(RouterId /*router*/) const override { return 1; }

 private:
  [[nodiscard]] u32 direction(u32 d, bool up) const { return 2 * d + (up ? 1 : 0); }
  /// Links of the middle ring and internal ones on the best route between cards with `up` > 0 hops to go up in that
  /// ring, or all the others down: it comes by both cards, so that the other dimensions cost no more internal links.
  [[nodiscard]] u32 middle_links(u32 up, u32 from_card, u32 to_card) const;
  /// Mean of those links over all ordered pairs of nodes, equal ones included.
  [[nodiscard]] double mean_middle_links() const;

  std::vector<u32> dims_;
  std::vector<u32> strides_;  ///< torus nodes from one to the next in a dimension, [dimension]
  u32 torus_nodes_ = 1;
};

}  // namespace weft::models
