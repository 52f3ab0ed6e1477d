// A network of several planes: copies of another without links between them.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/topology/forwarded.hpp"

namespace weft::models {

/// Most planes of a network.
inline constexpr u32 most_planes = 64;

/// Router r of plane p is router p * (routers of a plane) + r, and nodes likewise; their ports are those of the plane.
/// Distances, diameter and load bound are those within a plane: nodes of different planes do not reach each other.
class PlanesTopology final : public ForwardedTopology {
 public:
  PlanesTopology(std::unique_ptr<Topology> plane, u32 planes) : ForwardedTopology(std::move(plane)), planes_(planes) {}

  [[nodiscard]] const Topology& plane() const override { return inner(); }
  [[nodiscard]] u32 nodes() const override { return planes_ * plane().nodes(); }
  [[nodiscard]] u32 routers() const override { return planes_ * plane().routers(); }
  [[nodiscard]] Peer peer(RouterId router, u32 port) const override;
  [[nodiscard]] RouterId router_of(NodeId node) const override;
  [[nodiscard]] u64 kind_routers(u32 kind) const override { return planes_ * plane().kind_routers(kind); }
  [[nodiscard]] u64 router_links() const override { return planes_ * plane().router_links(); }
  /// "4 planes, each a 8:4,3-tree".
  [[nodiscard]] std::string name() const override;
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> facts() const override;
  /// Corresponding routers of all planes in one part.
  [[nodiscard]] RegularPartition regular_partition(u32 parts) const override;

 private:
  u32 planes_;
};

/// `plane` itself for one plane. Throws ConfigError if so many are too many routers or nodes to number.
[[nodiscard]] std::unique_ptr<Topology> with_planes(std::unique_ptr<Topology> plane, u32 planes);

}  // namespace weft::models
