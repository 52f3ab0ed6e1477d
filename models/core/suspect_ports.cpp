// Which ports of routers packets may have been lost on: SuspectPorts.
#include "models/core/suspect_ports.hpp"

#include <algorithm>

namespace weft::models {

SuspectPorts::SuspectPorts(const Topology& topology, const LiveFaults& live, const Layout& layout, u32 links,
                           const Ways& ways)
    : topology_(topology),
      live_(live),
      layout_(layout),
      ports_(links + 1),
      ways_(ways),
      until_(std::size_t{layout.entities()} * ports_) {}

void SuspectPorts::recall(u32 entity) {
  suspect(entity, live_.last_change());
  if (entity != 0) return;
  for (const FaultEvent& event : live_.events()) look_for_errors(event);
}

/// What works again may have been missed by what set out before.
void SuspectPorts::suspect(u32 entity, Tick now) {
  if (errors_) return;
  const RouterId here = layout_.router(entity);
  Tick* const until = &until_[entity * ports_];
  for (u32 p = 0; p + 1 < ports_; ++p) {
    const Peer from = topology_.peer(here, p);
    if (from.kind != Peer::Kind::router) continue;
    const bool works = live_.failure(RouterId(from.id), from.port) == LiveFaults::none;
    until[p] = works ? now + ways_.link_ticks : never;
  }
  until[ports_ - 1] = live_.works(NodeId(here.value())) ? now + ways_.node_ticks : never;
}

void SuspectPorts::look_for_errors(const FaultEvent& event) {
  if (errors_ || event.change != FaultEvent::Change::error_rate) return;
  errors_ = true;
  std::ranges::fill(until_, never);
}

}  // namespace weft::models
