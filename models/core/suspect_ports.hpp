// Until when what comes to the routers of a torus or mesh may have been lost on its way, as links fail during the run.
#pragma once

#include <vector>

#include "models/core/layout.hpp"
#include "models/faults/live_faults.hpp"

namespace weft::models {

/// For all routers of one process, with a node at each, whose way to its router counts as the last port. What arrives
/// while a part works that has long worked is not looked up in LiveFaults.
class SuspectPorts {
 public:
  /// How long a packet is on its way over a link, and while its node takes it in.
  struct Ways {
    Tick link_ticks, node_ticks;
  };

  /// `links`: ports of a router to others. All must outlive it.
  SuspectPorts(const Topology& topology, const LiveFaults& live, const Layout& layout, u32 links, const Ways& ways);

  /// Whether what arrives through a port at a tick may have been lost.
  [[nodiscard]] bool holds(u32 entity, u32 port, Tick tick) const { return tick <= until_[entity * ports_ + port]; }

  /// What works, or is known to, has changed at tick `now`: f(entity) for each router at an end of it, where it may be
  /// named more than once.
  template <class F>
  void change(Tick now, F&& f) {
    const auto look_at = [&](u32 router) {
      const u32 entity = layout_.entity_of(NodeId(router));
      if (entity == Layout::none) return;
      suspect(entity, now);
      f(entity);
    };
    for (const u32 event : live_.changed()) {
      const FaultEvent& what = live_.events()[event];
      look_for_errors(what);
      look_at(what.id);
      if (what.part == FaultEvent::Part::node) continue;
      for (u32 p = 0; p + 1 < ports_; ++p) {
        if (what.part == FaultEvent::Part::link && what.port != p) continue;
        const Peer far = topology_.peer(RouterId(what.id), p);
        if (far.kind == Peer::Kind::router) look_at(far.id);
      }
    }
  }
  /// What a run that goes on from a checkpoint knew of failures, of a router that has been loaded.
  void recall(u32 entity);

 private:
  void suspect(u32 entity, Tick now);
  void look_for_errors(const FaultEvent& event);

  const Topology& topology_;
  const LiveFaults& live_;
  const Layout& layout_;
  u32 ports_;  ///< of a router, with its node's
  Ways ways_;
  bool errors_ = false;      ///< links have had error rates: from then on anything may be lost at any time
  std::vector<Tick> until_;  ///< [entity * ports + port]
};

}  // namespace weft::models
