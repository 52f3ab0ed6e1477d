// Congestion control of switches of cells: windows of cells under way between two nodes, packets marked where many
// cells wait, and sources that slow down when they hear of it. docs/congestion.md has the rules.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "engine/error.hpp"
#include "engine/random.hpp"
#include "models/endpoint/flow_rate.hpp"
#include "models/endpoint/injection_delay.hpp"
#include "models/routing/settings.hpp"

namespace weft::models::endpoint {

/// How sources slow down that hear of marks, and which packets are marked.
enum class Ecn : u8 { none, dcqcn, infiniband };

/// What [router] says of it, times in ticks.
struct CongestionSettings {
  u32 window_cells = 0;    ///< under way from a node to another; 0: any
  u32 longest_packet = 1;  ///< cells
  Ecn ecn = Ecn::none;
  u32 min_cells = 0, max_cells = 1;
  u64 probability = 0;   ///< of marking at max_cells, in units of 2^-32
  Tick quiet_ticks = 1;  ///< between two notifications of a flow
  RateRules rates;       ///< of dcqcn
  u32 marking_rate = 0;  ///< of infiniband: packets between marked ones
  u32 least_cells = 1;   ///< and shorter ones are not marked
  DelayRules delays;     ///< and what sources do
  [[nodiscard]] bool any() const { return window_cells != 0 || ecn != Ecn::none; }
};
[[nodiscard]] std::vector<Setting> congestion_rows();
[[nodiscard]] CongestionSettings congestion_settings(const RouterSettings& settings);
/// The longest that a flow may be closed after a packet that keeps the node's link busy for so many ticks.
[[nodiscard]] Tick longest_gap(const CongestionSettings& settings, Tick busy);

/// What is kept of flows at their sources and destinations; only of those that something is under way of, or that are
/// slowed down. Empty where there is no congestion control.
class Congestion {
  struct Flow {
    u32 to = 0;
    u32 under_way = 0;          ///< cells; where windows are kept
    Tick next_at = 0;           ///< when the next packet may be sent
    FlowRate rate = {};         ///< dcqcn
    InjectionDelay delay = {};  ///< infiniband
  };
  struct Notified {
    u32 from = 0, unused = 0;
    Tick at = 0;  ///< when its source was told
  };
  template <class Flows>
  [[nodiscard]] static auto place(Flows& flows, u32 to) {
    return std::ranges::lower_bound(flows, to, {}, &Flow::to);
  }

 public:
  Congestion(const CongestionSettings& settings, u64 seed) : settings_(settings), seed_(seed) {}
  [[nodiscard]] bool used() const { return settings_.any(); }
  [[nodiscard]] bool marks() const { return settings_.ecn != Ecn::none; }
  [[nodiscard]] bool acknowledges() const { return settings_.window_cells != 0; }
  void resize(u32 entities) {
    if (!used()) return;
    flows_.resize(entities);
    notified_.resize(entities);
  }

  // At the source.

  /// When a packet may be sent to a node, as far as can be foreseen; never: not before answers come. A window must have
  /// room for the longest packet: so no short one overtakes those before it.
  [[nodiscard]] Tick open_at(u32 entity, u32 to) const {
    const auto& flows = flows_[entity];
    const auto at = place(flows, to);
    if (at == flows.end() || at->to != to) return 0;
    if (settings_.window_cells != 0 && at->under_way + settings_.longest_packet > settings_.window_cells) return never;
    return at->next_at;
  }
  /// A packet is sent, which keeps the node's link busy for so many ticks.
  void sent(u32 entity, u32 to, u32 cells, Tick busy, Tick now) {
    auto& flows = flows_[entity];
    auto at = place(flows, to);
    const bool known = at != flows.end() && at->to == to;
    if (!known && settings_.window_cells == 0) return;
    if (!known) at = flows.insert(at, Flow{to});
    if (settings_.window_cells != 0) at->under_way += cells;
    at->next_at = now + (settings_.ecn == Ecn::infiniband ? at->delay.send(settings_.delays, now, busy)
                                                          : at->rate.send(settings_.rates, now, cells, busy));
  }
  /// So many cells have been delivered; `slow`: a notification comes with that.
  void answered(u32 entity, u32 to, u32 cells, bool slow, Tick now) {
    auto& flows = flows_[entity];
    auto at = place(flows, to);
    if (at == flows.end() || at->to != to) {
      WEFT_ASSERT(settings_.window_cells == 0);
      if (!slow) return;
      std::erase_if(flows, [&](Flow& flow) { return is_done(flow, now); });
      at = flows.insert(place(flows, to), Flow{to});
    }
    at->under_way -= settings_.window_cells != 0 ? cells : 0;
    if (slow && settings_.ecn == Ecn::infiniband) {
      at->delay.raise(settings_.delays, now);
    } else if (slow) {
      at->rate.reduce(settings_.rates, now);
    }
    if (is_done(*at, now)) flows.erase(at);
  }

  // In switches.

  /// What a packet meets at the output through which it leaves.
  struct Met {
    u32 waiting = 0;    ///< cells of other packets that wait for it
    bool moves = true;  ///< it is a node's, or has credits for a longest packet more
  };
  /// Whether a packet of so many cells is marked.
  [[nodiscard]] bool marked(u32 global, u32 output, u32 cells, const Met& met, Tick now) const {
    const u32 waiting = met.waiting;
    if (waiting <= settings_.min_cells) return false;
    const auto draw = [&] {
      return engine::random_bits(seed_, global, now << 16 | output, engine::Use::marking) >> 32;
    };
    if (settings_.ecn == Ecn::infiniband) {
      if (!met.moves || cells < settings_.least_cells) return false;
      return settings_.marking_rate == 0 || draw() * (settings_.marking_rate + u64{1}) < u64{1} << 32;
    }
    if (waiting > settings_.max_cells) return true;
    const u64 lot = draw();
    return lot * (settings_.max_cells - settings_.min_cells) < settings_.probability * (waiting - settings_.min_cells);
  }

  // At the destination.

  /// A marked packet has come: whether its source is told.
  [[nodiscard]] bool notifies(u32 entity, u32 from, Tick now) {
    auto& all = notified_[entity];
    std::erase_if(all, [&](const Notified& some) { return some.at + settings_.quiet_ticks <= now; });
    const auto at = std::ranges::lower_bound(all, from, {}, &Notified::from);
    if (at != all.end() && at->from == from) return false;
    all.insert(at, {from, 0, now});
    return true;
  }

  /// Cells under way from all nodes.
  [[nodiscard]] u64 under_way() const {
    u64 cells = 0;
    for (const auto& flows : flows_) {
      for (const Flow& flow : flows) cells += flow.under_way;
    }
    return cells;
  }
  /// Hands the tables of an entity to f.table(vector).
  template <class Self, class F>
  static void visit_state(Self& self, u32 entity, F&& f) {
    if (!self.used()) return;
    f.table(self.flows_[entity]);
    f.table(self.notified_[entity]);
  }
  [[nodiscard]] std::size_t bytes() const {
    std::size_t sum = (flows_.size() + notified_.size()) * sizeof(flows_);
    for (const auto& flows : flows_) sum += flows.capacity() * sizeof(Flow);
    for (const auto& all : notified_) sum += all.capacity() * sizeof(Notified);
    return sum;
  }

 private:
  /// Whether a flow is as one that nothing is known of.
  [[nodiscard]] bool is_done(Flow& flow, Tick now) const {
    flow.rate.advance(settings_.rates, now);
    flow.delay.advance(settings_.delays, now);
    return flow.under_way == 0 && flow.rate.limited == 0 && flow.delay.index == 0 && flow.next_at <= now;
  }

  CongestionSettings settings_;
  u64 seed_;
  std::vector<std::vector<Flow>> flows_;         ///< [entity], by destination
  std::vector<std::vector<Notified>> notified_;  ///< [entity], by source
};

}  // namespace weft::models::endpoint
