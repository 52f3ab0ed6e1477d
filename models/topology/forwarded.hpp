// Topologies that are another one but for some answers: what all of them pass on.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/topology/topology.hpp"

namespace weft::models {

/// Answers as another network does, which may be there several times: routers and nodes beyond it are asked for by
/// their numbers in the first copy. Which they are, who is wired to whom, the name and the facts are up to the class
/// that derives from it.
class ForwardedTopology : public Topology {
 public:
  [[nodiscard]] u32 ports(RouterId router) const override { return inner_->ports(there(router)); }
  [[nodiscard]] bool carries(RouterId router, u32 port) const override { return inner_->carries(there(router), port); }
  [[nodiscard]] bool one_way() const override { return inner_->one_way(); }
  [[nodiscard]] u32 port_of(NodeId node) const override { return inner_->port_of(there(node)); }
  [[nodiscard]] bool opposite_ports() const override { return inner_->opposite_ports(); }
  [[nodiscard]] bool direct() const override { return inner_->direct(); }
  [[nodiscard]] bool joins_all() const override { return inner_->joins_all(); }
  [[nodiscard]] bool works(NodeId node) const override { return inner_->works(there(node)); }
  [[nodiscard]] u32 nodes_at(RouterId router) const override { return inner_->nodes_at(there(router)); }
  [[nodiscard]] u32 kinds() const override { return inner_->kinds(); }
  [[nodiscard]] u32 kind(RouterId router) const override { return inner_->kind(there(router)); }
  [[nodiscard]] u32 kind_ports(u32 kind) const override { return inner_->kind_ports(kind); }
  [[nodiscard]] std::vector<std::string> link_classes() const override { return inner_->link_classes(); }
  [[nodiscard]] u32 link_class(RouterId router, u32 port) const override {
    return inner_->link_class(there(router), port);
  }
  [[nodiscard]] double link_rate(RouterId router, u32 port) const override {
    return inner_->link_rate(there(router), port);
  }
  [[nodiscard]] std::vector<double> link_rates() const override { return inner_->link_rates(); }
  [[nodiscard]] std::string link_speed(RouterId router, u32 port) const override {
    return inner_->link_speed(there(router), port);
  }
  [[nodiscard]] u32 distance(NodeId from, NodeId to) const override { return inner_->distance(there(from), there(to)); }
  [[nodiscard]] u32 diameter() const override { return inner_->diameter(); }
  [[nodiscard]] double mean_distance() const override { return inner_->mean_distance(); }
  [[nodiscard]] double uniform_load_bound() const override { return inner_->uniform_load_bound(); }
  [[nodiscard]] u32 work(RouterId router) const override { return inner_->work(there(router)); }

 protected:
  explicit ForwardedTopology(std::unique_ptr<Topology> inner) : ForwardedTopology(*inner) { owned_ = std::move(inner); }
  /// That of somebody else, which must outlive it.
  explicit ForwardedTopology(const Topology& inner)
      : inner_(&inner), nodes_(inner.nodes()), routers_(inner.routers()) {}
  [[nodiscard]] const Topology& inner() const { return *inner_; }
  [[nodiscard]] RouterId there(RouterId router) const { return RouterId(router.value() % routers_); }
  [[nodiscard]] NodeId there(NodeId node) const { return NodeId(node.value() % nodes_); }
  [[nodiscard]] std::string link_name(RouterId router, u32 port) const override {
    return inner_->port_name(there(router), port);
  }

 private:
  std::unique_ptr<Topology> owned_;
  const Topology* inner_;
  u32 nodes_, routers_;
};

/// All routers and nodes of another network, some of which, or of their links, may fail: who is wired to whom, and what
/// works, is up to the class that derives from it.
class ReducedTopology : public ForwardedTopology {
 public:
  [[nodiscard]] u32 nodes() const override { return inner().nodes(); }
  [[nodiscard]] u32 routers() const override { return inner().routers(); }
  [[nodiscard]] RouterId router_of(NodeId node) const override { return inner().router_of(node); }
  [[nodiscard]] u64 kind_routers(u32 kind) const override { return inner().kind_routers(kind); }
  [[nodiscard]] std::vector<u32> grid() const override { return inner().grid(); }
  [[nodiscard]] u32 group_nodes() const override { return inner().group_nodes(); }

 protected:
  using ForwardedTopology::ForwardedTopology;
};

}  // namespace weft::models
