// A network of several planes: copies of another without links between them.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/topology/topology.hpp"

namespace weft::models {

/// Most planes of a network.
inline constexpr u32 most_planes = 64;

/// Router r of plane p is router p * (routers of a plane) + r, and nodes likewise; their ports are those of the plane.
/// Distances, diameter and load bound are those within a plane: nodes of different planes do not reach each other.
class PlanesTopology final : public Topology {
 public:
  PlanesTopology(std::unique_ptr<Topology> plane, u32 planes);

  [[nodiscard]] const Topology& plane() const override { return *plane_; }
  [[nodiscard]] u32 nodes() const override { return planes_ * plane_nodes_; }
  [[nodiscard]] u32 routers() const override { return planes_ * plane_routers_; }
  [[nodiscard]] u32 ports(RouterId router) const override { return plane_->ports(there(router)); }
  [[nodiscard]] Peer peer(RouterId router, u32 port) const override;
  [[nodiscard]] bool carries(RouterId router, u32 port) const override { return plane_->carries(there(router), port); }
  [[nodiscard]] bool one_way() const override { return plane_->one_way(); }
  [[nodiscard]] RouterId router_of(NodeId node) const override;
  [[nodiscard]] u32 port_of(NodeId node) const override { return plane_->port_of(there(node)); }
  [[nodiscard]] bool opposite_ports() const override { return plane_->opposite_ports(); }
  [[nodiscard]] bool direct() const override { return plane_->direct(); }
  [[nodiscard]] bool works(NodeId node) const override { return plane_->works(there(node)); }
  [[nodiscard]] u32 nodes_at(RouterId router) const override { return plane_->nodes_at(there(router)); }
  [[nodiscard]] u32 kinds() const override { return plane_->kinds(); }
  [[nodiscard]] u32 kind(RouterId router) const override { return plane_->kind(there(router)); }
  [[nodiscard]] u32 kind_ports(u32 kind) const override { return plane_->kind_ports(kind); }
  [[nodiscard]] u64 kind_routers(u32 kind) const override { return planes_ * plane_->kind_routers(kind); }
  [[nodiscard]] std::vector<std::string> link_classes() const override { return plane_->link_classes(); }
  [[nodiscard]] u32 link_class(RouterId router, u32 port) const override {
    return plane_->link_class(there(router), port);
  }
  [[nodiscard]] double link_rate(RouterId router, u32 port) const override {
    return plane_->link_rate(there(router), port);
  }
  [[nodiscard]] std::vector<double> link_rates() const override { return plane_->link_rates(); }
  [[nodiscard]] std::string link_speed(RouterId router, u32 port) const override {
    return plane_->link_speed(there(router), port);
  }
  [[nodiscard]] u32 distance(NodeId from, NodeId to) const override { return plane_->distance(there(from), there(to)); }
  [[nodiscard]] u32 diameter() const override { return plane_->diameter(); }
  [[nodiscard]] double mean_distance() const override { return plane_->mean_distance(); }
  [[nodiscard]] double uniform_load_bound() const override { return plane_->uniform_load_bound(); }
  [[nodiscard]] u64 router_links() const override { return planes_ * plane_->router_links(); }
  /// "4 planes of an 8:4,3-tree".
  [[nodiscard]] std::string name() const override;
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> facts() const override;
  /// Corresponding routers of all planes in one part.
  [[nodiscard]] RegularPartition regular_partition(u32 parts) const override;
  [[nodiscard]] u32 work(RouterId router) const override { return plane_->work(there(router)); }

 private:
  [[nodiscard]] std::string link_name(RouterId router, u32 port) const override {
    return plane_->port_name(there(router), port);
  }
  [[nodiscard]] RouterId there(RouterId router) const { return RouterId(router.value() % plane_routers_); }
  [[nodiscard]] NodeId there(NodeId node) const { return NodeId(node.value() % plane_nodes_); }

  std::unique_ptr<Topology> plane_;
  u32 planes_, plane_nodes_, plane_routers_;
};

/// `plane` itself for one plane. Throws ConfigError if so many are too many routers or nodes to number.
[[nodiscard]] std::unique_ptr<Topology> with_planes(std::unique_ptr<Topology> plane, u32 planes);

}  // namespace weft::models
