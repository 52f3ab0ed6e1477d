// What routers share that have a ring through all of the network as their way out, and lay it anew when parts fail.
#pragma once

#include <fmt/format.h>
#include <optional>
#include <string>

#include "models/routing/recovery/escape_ring.hpp"
#include "models/routing/router_kind.hpp"

namespace weft::models {

/// Takes the emptiest adaptive candidate, and the escape output where none has free space.
class RingRouting : public Routing {
 public:
  u32 request(const RouterView& router, const Candidates& candidates, u32& /*memory*/, u64 bits) const override {
    const u32 choice = router.emptiest(candidates.outputs, bits);
    if (choice != RouterView::none) return choice;
    return router.may_escape(candidates) ? candidates.escape : RouterView::none;
  }
  [[nodiscard]] bool goes_by_source() const override { return false; }
  [[nodiscard]] bool leads_round_failures() const override { return true; }
  bool follow(const Topology& left) override {
    ring_ = EscapeRing(left);
    make(left);
    return true;
  }

 protected:
  RingRouting(const Topology& topology, const RouterSettings& settings)
      : channels_(settings.virtual_channels), ring_(topology) {}
  [[nodiscard]] const EscapeRing& ring() const { return ring_; }
  [[nodiscard]] u32 channels() const { return channels_; }

 private:
  /// What else follows from the links that work.
  virtual void make(const Topology& left) = 0;

  u32 channels_;
  EscapeRing ring_;
};

/// What such a kind needs: so many channels, and queues in which a bubble fits. `what`: the channels are for.
[[nodiscard]] inline std::optional<Complaint> check_ring(const RouterChoice& choice, i64 channels, const char* what) {
  const bool one_way = choice.shape.has("unidirectional") && choice.shape.flag("unidirectional");
  const TopologyKind* const topology = TopologyRegistry::instance().find(choice.topology);
  if (one_way || (topology != nullptr && topology->family == "unidirectional-min")) {
    return Complaint{"router.kind", "does not fit links that lead one way (its ring takes each in both directions)",
                     "use a topology with links in both directions"};
  }
  if (choice.keys.integer("virtual_channels") < channels) {
    return Complaint{"router.virtual_channels", fmt::format("is too few for {}", what),
                     fmt::format("use virtual_channels = {} or more", channels)};
  }
  if (choice.keys.integer("queue_packets") < 2 && !choice.unsafe()) {
    return Complaint{"router.queue_packets", "can deadlock (a ring is entered where two packets fit behind it)",
                     "use queue_packets = 2 or more"};
  }
  return {};
}

}  // namespace weft::models
