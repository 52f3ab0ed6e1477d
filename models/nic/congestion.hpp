// Congestion control of switches of cells: the flows that nodes know of, with what a scheme says of them.
// docs/congestion.md has the rules.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <memory>
#include <vector>

#include "engine/base/error.hpp"
#include "models/nic/congestion_scheme.hpp"
#include "models/routing/settings.hpp"

namespace weft::models::endpoint {

/// Whether the scheme that these keys name fits every kind of router.
[[nodiscard]] bool controls_any_router(const Parameters& keys);

/// The rows of [congestion] that every scheme has.
[[nodiscard]] std::vector<Setting> congestion_rows();
/// What is wrong with [congestion], for packets of so many cells at most.
[[nodiscard]] std::optional<Complaint> check_congestion(const Parameters& keys, i64 longest_packet);
/// Why a key of [congestion] that every scheme has changes nothing beside the others (`keys`: all of the table) with a
/// kind of routers; nothing where it does, and of keys that schemes declare.
[[nodiscard]] std::optional<Complaint> congestion_without_effect(const std::string& key, const Parameters& keys,
                                                                 const std::string& router);
/// Whether switches mark packets.
[[nodiscard]] bool marks_packets(const RouterSettings& settings);

/// What is kept of flows at their sources and destinations; only of those that something is in flight of, or that a
/// scheme knows something of. Empty where there is no congestion control.
class Congestion {
  struct Flow {
    u32 to = 0;
    u32 in_flight = 0;  ///< cells; where answers tell of each packet
    Tick next_at = 0;   ///< when the next packet may be sent
    FlowState state = {};
  };
  /// A packet in flight, where delays are measured.
  struct SentAt {
    u32 to = 0, unused = 0;
    u64 generated_at = 0;
    Tick at = 0;
  };
  struct Notified {
    u32 from = 0, unused = 0;
    Tick at = 0;  ///< when its source was notified
  };
  template <class Flows>
  [[nodiscard]] static auto place(Flows& flows, u32 to) {
    return std::ranges::lower_bound(flows, to, {}, &Flow::to);
  }

 public:
  explicit Congestion(const RouterSettings& settings);
  [[nodiscard]] bool used() const { return scheme_ != nullptr; }
  /// Whether switches mark packets.
  [[nodiscard]] bool marks() const { return marks_; }
  /// Whether every packet is answered.
  [[nodiscard]] bool acknowledges() const { return acknowledges_; }
  /// Cells of a flow that may be in flight, by congestion.window_cells; 0: any number.
  [[nodiscard]] u32 window_cells() const { return window_cells_; }
  /// The longest that a flow may be closed after a packet that keeps the node's link busy for so many ticks.
  [[nodiscard]] Tick longest_gap(Tick busy) const { return used() ? scheme_->longest_gap(busy) : 0; }
  void resize(u32 entities) {
    if (!used()) return;
    flows_.resize(entities);
    notified_.resize(entities);
    if (measures_delay_) sent_at_.resize(entities);
  }

  // At the source.

  /// When a packet may be sent to a node, as far as can be foreseen; never: not before answers come. A window must have
  /// free space for the longest packet: so no short one overtakes those before it.
  [[nodiscard]] Tick open_at(u32 entity, u32 to) const {
    const auto& flows = flows_[entity];
    const auto at = place(flows, to);
    if (at == flows.end() || at->to != to) return 0;
    const u32 needed = at->in_flight + longest_packet_;
    if (window_cells_ != 0 && needed > window_cells_) return never;
    if (has_windows_ && needed > scheme_->window_cells(at->state)) return never;
    return at->next_at;
  }
  /// A packet that was generated at `generated_at` is sent and keeps the node's link busy for so many ticks.
  void sent(u32 entity, u32 to, u64 generated_at, const SentPacket& packet) {
    auto& flows = flows_[entity];
    auto at = place(flows, to);
    const bool known = at != flows.end() && at->to == to;
    if (!known && !acknowledges_) return;
    if (!known) at = insert(flows, to, packet.now);
    if (acknowledges_) at->in_flight += packet.cells;
    if (measures_delay_) sent_at_[entity].push_back({to, 0, generated_at, packet.now});
    at->next_at = packet.now + scheme_->sent(at->state, packet);
  }
  /// A packet generated at `generated_at` has been delivered, says an answer from there. `echo.delay` is filled in.
  void answered(u32 entity, u32 to, u64 generated_at, Echo echo) {
    auto& flows = flows_[entity];
    auto at = place(flows, to);
    if (at == flows.end() || at->to != to) {
      WEFT_ASSERT(!acknowledges_);
      if (!echo.marked) return;
      at = insert(flows, to, echo.now);
    }
    if (acknowledges_) at->in_flight -= echo.cells;
    if (measures_delay_) echo.delay = echo.now - take_sent_at(sent_at_[entity], to, generated_at);
    scheme_->answered(at->state, echo);
    if (is_done(*at, echo.now)) flows.erase(at);
  }

  /// In switches: whether a packet is marked.
  [[nodiscard]] bool marked(LeavingPacket packet) const {
    packet.seed = seed_;
    return scheme_->marks(packet);
  }

  /// At the destination: a marked packet has come; whether its source is notified.
  [[nodiscard]] bool notifies(u32 entity, u32 from, Tick now) {
    auto& all = notified_[entity];
    std::erase_if(all, [&](const Notified& some) { return some.at + quiet_ticks_ <= now; });
    const auto at = std::ranges::lower_bound(all, from, {}, &Notified::from);
    if (at != all.end() && at->from == from) return false;
    all.insert(at, {from, 0, now});
    return true;
  }

  /// Cells in flight from all nodes.
  [[nodiscard]] u64 in_flight() const {
    u64 cells = 0;
    for (const auto& flows : flows_) {
      for (const Flow& flow : flows) cells += flow.in_flight;
    }
    return cells;
  }
  /// Hands the tables of an entity to f.table(vector).
  template <class Self, class F>
  static void visit_state(Self& self, u32 entity, F&& f) {
    if (!self.used()) return;
    f.table(self.flows_[entity]);
    f.table(self.notified_[entity]);
    if (self.measures_delay_) f.table(self.sent_at_[entity]);
  }
  [[nodiscard]] std::size_t bytes() const {
    std::size_t sum = (flows_.size() + notified_.size() + sent_at_.size()) * sizeof(flows_);
    for (const auto& flows : flows_) sum += flows.capacity() * sizeof(Flow);
    for (const auto& all : notified_) sum += all.capacity() * sizeof(Notified);
    for (const auto& all : sent_at_) sum += all.capacity() * sizeof(SentAt);
    return sum;
  }

 private:
  /// Whether a flow is as one that nothing is known of.
  [[nodiscard]] bool is_done(Flow& flow, Tick now) const {
    return flow.in_flight == 0 && flow.next_at <= now && scheme_->idle(flow.state, now);
  }
  /// A new flow; those that are done are looked for whenever their number has doubled.
  [[nodiscard]] std::vector<Flow>::iterator insert(std::vector<Flow>& flows, u32 to, Tick now) const {
    if (std::has_single_bit(flows.size())) std::erase_if(flows, [&](Flow& flow) { return is_done(flow, now); });
    return flows.insert(place(flows, to), Flow{to});
  }
  /// When the packet to a node that was generated at `generated_at` was sent; the first of those that look alike.
  [[nodiscard]] static Tick take_sent_at(std::vector<SentAt>& all, u32 to, u64 generated_at) {
    const auto found =
        std::ranges::find_if(all, [&](const SentAt& one) { return one.to == to && one.generated_at == generated_at; });
    WEFT_ASSERT(found != all.end());
    const Tick at = found->at;
    all.erase(found);
    return at;
  }

  std::unique_ptr<CongestionScheme> scheme_;
  u32 window_cells_ = 0, longest_packet_ = 1;
  bool marks_ = false, acknowledges_ = false, has_windows_ = false, measures_delay_ = false;
  Tick quiet_ticks_ = 0;
  u64 seed_;
  std::vector<std::vector<Flow>> flows_;         ///< [entity], by destination
  std::vector<std::vector<SentAt>> sent_at_;     ///< [entity], in the order in which they were sent
  std::vector<std::vector<Notified>> notified_;  ///< [entity], by source
};

}  // namespace weft::models::endpoint
