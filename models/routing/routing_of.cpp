// The routing of a plane, asked with the numbers that routers and nodes have there.
#include "models/routing/routing_of.hpp"

#include <utility>

namespace weft::models {
namespace {

class RoutingInPlanes final : public Routing {
 public:
  RoutingInPlanes(std::unique_ptr<Routing> of_plane, const Topology& plane)
      : of_plane_(std::move(of_plane)), nodes_(plane.nodes()), routers_(plane.routers()) {}

  void begin(RouteState& state, NodeId from, NodeId to, u64 bits) const override {
    of_plane_->begin(state, there(from), there(to), bits);
  }
  [[nodiscard]] u32 beginnings(NodeId from, NodeId to) const override {
    return of_plane_->beginnings(there(from), there(to));
  }
  void begin_as(RouteState& state, NodeId from, NodeId to, u32 number) const override {
    of_plane_->begin_as(state, there(from), there(to), number);
  }
  Verdict route(const QueuePlace& at, const PacketOnRoute& packet, Candidates& candidates) const override {
    return of_plane_->route(there(at), {there(packet.from), there(packet.to), packet.state}, candidates);
  }
  u32 request(const RouterView& router, const Candidates& candidates, u32& memory, u64 bits) const override {
    return of_plane_->request(router, candidates, memory, bits);
  }
  [[nodiscard]] bool tries_held() const override { return of_plane_->tries_held(); }
  [[nodiscard]] bool goes_by_source() const override { return of_plane_->goes_by_source(); }
  void leave(RouteState& state, const QueuePlace& at, u32 port, u32 channel) const override {
    of_plane_->leave(state, there(at), port, channel);
  }
  [[nodiscard]] Channels node_link_channels(const RouteState& state, bool to_node) const override {
    return of_plane_->node_link_channels(state, to_node);
  }
  [[nodiscard]] u32 service_level(const RouteState& state) const override { return of_plane_->service_level(state); }

  [[nodiscard]] bool decides() const override { return of_plane_->decides(); }
  void decide(RouteState& state, const QueuePlace& at, NodeId from, NodeId to,
              const Occupancy& outputs) const override {
    of_plane_->decide(state, there(at), there(from), there(to), outputs);
  }
  [[nodiscard]] bool uses_remote_occupancy() const override { return of_plane_->uses_remote_occupancy(); }
  [[nodiscard]] bool notifies(RouterId router, u32 port, u32 over) const override {
    return of_plane_->notifies(RouterId(router.value() % routers_), port, over);
  }

  [[nodiscard]] u32 routes(NodeId from, NodeId to) const override { return of_plane_->routes(there(from), there(to)); }
  void take(RouteState& state, NodeId from, NodeId to, u32 route) const override {
    of_plane_->take(state, there(from), there(to), route);
  }
  [[nodiscard]] u32 route_taken(const RouteState& state, NodeId from, NodeId to) const override {
    return of_plane_->route_taken(state, there(from), there(to));
  }

  [[nodiscard]] u32 first_port(NodeId from, NodeId to, u64 bits) const override {
    return of_plane_->first_port(there(from), there(to), bits);
  }
  [[nodiscard]] u32 longest_port(NodeId from, NodeId to, u64 bits) const override {
    return of_plane_->longest_port(there(from), there(to), bits);
  }
  [[nodiscard]] u64 profitable_ports(NodeId from, NodeId to, u64 bits) const override {
    return of_plane_->profitable_ports(there(from), there(to), bits);
  }

 private:
  [[nodiscard]] NodeId there(NodeId node) const { return NodeId(node.value() % nodes_); }
  [[nodiscard]] QueuePlace there(QueuePlace at) const {
    at.router %= routers_;
    return at;
  }

  std::unique_ptr<Routing> of_plane_;
  u32 nodes_, routers_;
};

}  // namespace

std::unique_ptr<Routing> routing_of(const RouterKind& kind, const Topology& topology, const RouterSettings& settings) {
  const Topology& plane = topology.plane();
  std::unique_ptr<Routing> routing = kind.routing(plane, settings);
  if (topology.planes() == 1) return routing;
  return std::make_unique<RoutingInPlanes>(std::move(routing), plane);
}

}  // namespace weft::models
