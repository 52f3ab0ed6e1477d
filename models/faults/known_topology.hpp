// A network without what has failed during the run, as all routers know it: what new tables are made for.
#pragma once

#include <string>

#include "models/faults/live_faults.hpp"
#include "models/topology/forwarded.hpp"

namespace weft::models {

/// As a FaultyTopology. A link of which one direction has failed is none.
class KnownTopology final : public ReducedTopology {
 public:
  /// Both must outlive it.
  KnownTopology(const Topology& topology, const LiveFaults& faults) : ReducedTopology(topology), faults_(faults) {}

  [[nodiscard]] const Topology& whole() const override { return inner().whole(); }
  [[nodiscard]] bool works(NodeId node) const override { return inner().works(node) && faults_.known_to_work(node); }
  [[nodiscard]] Peer peer(RouterId router, u32 port) const override {
    const Peer far = inner().peer(router, port);
    if (far.kind == Peer::Kind::none || !faults_.known_to_work(router, port)) return {};
    return far.kind == Peer::Kind::node || faults_.known_to_work(RouterId(far.id), far.port) ? far : Peer{};
  }
  [[nodiscard]] u64 router_links() const override { return inner().router_links(); }
  [[nodiscard]] std::string name() const override { return inner().name() + " as all its routers know it"; }

 private:
  const LiveFaults& faults_;
};

}  // namespace weft::models
