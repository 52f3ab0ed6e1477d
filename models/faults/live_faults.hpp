// Which parts of a network work at a time of a run: in fact, as the two ends of a link know it, and as all routers do.
#pragma once

#include <vector>

#include "models/faults/fault_schedule.hpp"

namespace weft::models {

/// What becomes of packets for which no path is left that is known to work.
enum class CutOff : u8 { drop, wait, stop };

struct FaultRules {
  Tick detection_ticks = 0;  ///< until the routers at the ends of a link, or around a router, know of a change
  Tick sweep_ticks = 0;      ///< from then on until all routers do
  CutOff cut_off = CutOff::drop;
  u64 seed = 1;  ///< of draws of packets that are lost by an error rate
};

/// A part that works again before its failure was detected was never missed. Each process has one of its own, advanced
/// to the same times: what it says does not depend on who asks.
class LiveFaults {
 public:
  /// The topology must outlive it.
  LiveFaults(const Topology& topology, FaultSchedule schedule, const FaultRules& rules);

  /// What has changed at a time.
  struct Changes {
    bool parts = false;     ///< parts have failed, or work again
    bool detected = false;  ///< routers know of it that are next to them
    bool swept = false;     ///< all routers do
    [[nodiscard]] bool any() const { return parts || detected || swept; }
  };
  /// The next time after `now` at which anything changes; `never` if there is none.
  [[nodiscard]] Tick next_after(Tick now) const;
  /// Takes up all changes at or before `now`; returns what has changed since the last call.
  Changes advance(Tick now);

  [[nodiscard]] CutOff cut_off() const { return rules_.cut_off; }
  /// Whether the network has parts that do not work, or of which somebody does not know that they do again.
  [[nodiscard]] bool damaged() const { return damage_ != 0; }
  /// Whether all parts work, as all routers know it.
  [[nodiscard]] bool looks_whole() const { return swept_damage_ == 0; }

  /// Whether a header that left a router through a port at tick `left`, for the router or node there, and would arrive
  /// at tick `now`, was lost: a part failed, or did not work, in between; or by the link's error rate.
  [[nodiscard]] bool loses(RouterId router, u32 port, Tick left, Tick now) const;
  /// Likewise from a node to its router.
  [[nodiscard]] bool loses_from(NodeId node, Tick left) const;
  /// Whether a router or node works, in fact.
  [[nodiscard]] bool works(RouterId router) const { return !is_down(down_, schedule_.router(router.value())); }
  [[nodiscard]] bool works(NodeId node) const;
  /// Whether the link of a port leads on as the router there knows it.
  [[nodiscard]] bool detected_to_work(RouterId router, u32 port) const { return leads_on(detected_, router, port); }
  /// As all routers know it.
  [[nodiscard]] bool known_to_work(RouterId router, u32 port) const { return leads_on(swept_, router, port); }
  [[nodiscard]] bool known_to_work(NodeId node) const;
  /// Whether a node does not work, in fact or as all know it.
  [[nodiscard]] bool misses(NodeId node) const { return !works(node) || !known_to_work(node); }

 private:
  using Flags = std::vector<u8>;  ///< [part]

  static bool is_down(const Flags& flags, u32 part) { return part != FaultSchedule::none && flags[part] != 0; }
  [[nodiscard]] bool leads_on(const Flags& down, RouterId router, u32 port) const;
  /// Whether a part was down at any time after `left`.
  [[nodiscard]] bool missed(u32 part, Tick left) const {
    return part != FaultSchedule::none && (down_[part] != 0 || up_at_[part] > left);
  }
  [[nodiscard]] bool loses_by_error(u32 part, Tick now) const;
  void take_up(const FaultSchedule::Change& change);
  bool copy(const Flags& from, Flags& to, u32 part, u32& count);

  const Topology& topology_;
  FaultSchedule schedule_;
  FaultRules rules_;
  Flags down_, detected_, swept_;
  std::vector<Tick> up_at_;         ///< [part] when it came up last; 0: it never failed
  std::vector<double> error_rate_;  ///< [part]
  std::size_t next_part_ = 0, next_detection_ = 0, next_sweep_ = 0;  ///< changes that are still to come
  u32 damage_ = 0, detected_damage_ = 0, swept_damage_ = 0;
  Tick now_ = 0;
};

}  // namespace weft::models
