// What every network model keeps besides its machine: which part of the network it is, what has been counted, the
// digest of its history, and which hosts wait until they may inject. A model derives from it and calls
// `record_...` where something happens to a packet.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/types.hpp"
#include "engine/digest.hpp"
#include "models/core/details.hpp"
#include "models/core/in_flight.hpp"
#include "models/core/layout.hpp"
#include "models/core/statistics.hpp"
#include "models/faults/live_faults.hpp"
#include "models/routing/settings.hpp"
#include "models/topology/topology.hpp"

namespace weft::models {

/// Base of the network models, with the half of their face to hosts and runs that does not depend on the machine
/// (SimulatedNetwork in tools/run/network_simulation.hpp has all of it). `entity` is a local one everywhere,
/// `global` its number in the whole network. Machines with packets of any length say how many `cells` a packet has, and
/// count endpoints in cells; others leave 0 there, and count packets.
class MachineStatistics {
 public:
  [[nodiscard]] const RouterSettings& settings() const { return settings_; }
  [[nodiscard]] Layout& layout() { return layout_; }
  [[nodiscard]] Statistics& statistics() { return statistics_; }
  [[nodiscard]] engine::Digest& digest() { return digest_; }
  [[nodiscard]] bool injection_open() const { return injection_open_; }

  /// Starts to count packets (or cells) per endpoint; see injected_at, delivered_at.
  void count_endpoints() {
    injected_at_.assign(layout_.entities(), 0);
    delivered_at_.assign(layout_.entities(), 0);
  }
  /// Accepted from, and delivered to, each local entity; empty unless counted.
  [[nodiscard]] const std::vector<u32>& injected_at() const { return injected_at_; }
  [[nodiscard]] const std::vector<u32>& delivered_at() const { return delivered_at_; }

 protected:
  MachineStatistics(const Topology& topology, const RouterSettings& settings, Layout& layout)
      : topology_(topology), settings_(settings), layout_(layout) {}
  ~MachineStatistics() = default;

  // What happens to packets.

  /// The network has taken a packet from its host.
  void count_generated(u32 entity, u32 cells = 0) {
    ++statistics_.counters.generated;
    statistics_.counters.generated_cells += cells;
    if (!injected_at_.empty()) injected_at_[entity] += counted(cells);
  }
  /// Its header has left the injection queue, `waited` ticks after its generation.
  void record_injection(Tick tick, Tick waited, u32 cells = 0) {
    Counters& c = statistics_.counters;
    ++c.injected;
    c.injected_cells += cells;
    c.network_time -= tick;
    c.wait += waited;
    c.cell_wait += waited * cells;
    c.injected_cell_places += places_of(cells);
  }
  /// It begins to travel a link that is counted as one, which it keeps busy for so many ticks (machines with packets of
  /// any length only, else 0).
  void record_link_start(Tick busy = 0) {
    ++statistics_.counters.link_starts;
    statistics_.counters.link_busy += busy;
    record_hop();
  }
  /// It begins to go elsewhere: into or out of the router that its node sits in, or out of the network.
  void record_hop() { ++statistics_.counters.packet_hops; }

  /// A packet that is consumed whole.
  struct Delivery {
    u32 entity;
    Tick at;       ///< when its last phit was
    Tick latency;  ///< from generation to then
    u32 distance;  ///< links of its route, node links in indirect networks included
    u32 hops;      ///< those of them between routers
    u32 cells = 0;
  };
  /// Inlined by force: once per packet is often enough to feel a call in small networks.
  [[gnu::always_inline]] void record_delivery(const Delivery& d) {
    Counters& c = statistics_.counters;
    ++c.delivered;
    c.delivered_cells += d.cells;
    c.network_time += d.at;
    c.hops += d.hops;
    c.distance += d.distance;
    if (d.distance > statistics_.distance_max) statistics_.distance_max = d.distance;
    c.cell_latency += d.latency * d.cells;
    c.delivered_cell_places += places_of(d.cells);
    c.add_latency(d.latency);
    statistics_.histogram.add(d.latency);
    if (d.latency > statistics_.latency_max) statistics_.latency_max = d.latency;
    statistics_.last_delivery = d.at;
    if (!delivered_at_.empty()) delivered_at_[d.entity] += counted(d.cells);
  }
  /// A packet between two nodes is gone at an entity, by a rule of the model. If it was in the network, the caller adds
  /// the tick of its end to `network_time`; if not, one to `dropped_at_source`.
  void record_drop(Tick tick, u32 global, u32 from, u32 to) {
    ++statistics_.counters.dropped;
    if (topology_.works(NodeId(to)) &&
        (settings_.live_faults == nullptr || !settings_.live_faults->misses(NodeId(to)))) {
      statistics_.first_drop.note(tick, global, from, to);
    } else {
      ++statistics_.counters.dropped_to_failed;
    }
  }

  /// A packet is gone that was on a link, or in a router, that failed in that event; the caller adds the tick to
  /// `network_time`.
  void record_loss(Tick tick, u32 event) {
    ++statistics_.counters.dropped;
    ++statistics_.counters.dropped_in_failures;
    FaultCost& cost = statistics_.fault_cost(event);
    ++cost.lost;
    cost.last_loss = std::max(cost.last_loss, tick);
  }

  /// New routes were made in tick `now`: `loop` that old and new ones together can close, if any.
  void note_transition(std::string loop, Tick now) {
    if (loop.empty() || !statistics_.transition_loop.empty()) return;
    statistics_.transition_loop = std::move(loop);
    statistics_.transition_at = now;
  }

  /// A packet is gone that has waited too long in its injection queue; the caller adds one to `dropped_at_source`.
  void record_late_drop() {
    ++statistics_.counters.dropped;
    ++statistics_.counters.dropped_at_head;
  }

  /// Places of events that the digest tells from the numbers of inputs.
  struct Place {
    static constexpr u32 delivery = 0xffff, drop = 0xfffe, generation = 0xfffd;
    static constexpr u32 output_of_drop = 0xff00;  ///< + output, where several may drop copies of a packet in a tick
  };
  /// Adds an event to the history: `place`, an input of the entity or one of Place; `what`, the packet's identity.
  void note(u32 global, u32 place, Tick tick, u64 what) { digest_.add(u64{global} << 16 | place, tick, what); }

  // Injection.

  /// What inject() answers while injection is closed: no. The host is notified when it is opened.
  [[gnu::noinline]] bool refuse(u32 entity) {
    refused_.push_back(entity);
    return false;
  }
  /// Opens injection, or closes it; between runs. When it is opened, calls again(entity) for those who were refused, or
  /// may have been before the checkpoint that they come from: each once, among them entities without a node.
  template <class Again>
  void allow_injection(bool open, Again&& again) {
    injection_open_ = open;
    if (!open) return;
    std::ranges::sort(refused_);
    refused_.erase(std::unique(refused_.begin(), refused_.end()), refused_.end());
    for (const u32 entity : refused_) again(entity);
    refused_.clear();
  }

  // Checkpoints.

  /// What a checkpoint has of an entity besides the machine's state; 0 if endpoints are not counted.
  struct EndpointCounts {
    u32 injected = 0, delivered = 0;
  };
  static_assert(sizeof(EndpointCounts) == 8);
  [[nodiscard]] EndpointCounts counts_of(u32 entity) const;
  /// Takes them over. The host may have been refused: to be notified once too often does no harm.
  void restore(u32 entity, const EndpointCounts& counts);
  /// A record of an entity whose state is one piece of memory: that, and the counts.
  void save_record(u32 entity, std::span<const std::byte> state, std::byte* to) const;
  /// Takes both over. Throws InputError if the record has another length; `global`: the entity's number for that.
  void load_record(u32 entity, u32 global, std::span<const std::byte> from, std::span<std::byte> state);

  // Checks.

  /// Whether this process simulates the whole network.
  [[nodiscard]] bool is_whole() const { return layout_.local_routers() == topology_.routers(); }
  /// What each model's finish() ends with: debug builds check the conservation of small networks of one process at the
  /// end of every tick.
  template <class Net>
  void check_tick([[maybe_unused]] const Net& net, [[maybe_unused]] Tick now) const {
#ifndef NDEBUG
    if (is_whole() && layout_.entities() <= most_checked) net.check_conservation(now);
#endif
  }
  /// What each model's check_conservation() ends with: throws Bug unless as many packets are in flight as have not come
  /// out. Of networks of one process.
  void check_totals(const InFlight& there, Tick now) const;

  const Topology& topology_;
  RouterSettings settings_;
  Layout& layout_;
  Details* details_ = nullptr;  ///< null: nobody wants to know
  engine::Digest digest_;
  Statistics statistics_;

 private:
  /// n (n - 1) / 2
  [[nodiscard]] static u64 places_of(u32 cells) { return cells < 2 ? 0 : u64{cells} * (cells - 1) / 2; }
  [[nodiscard]] static u32 counted(u32 cells) { return cells != 0 ? cells : 1; }

  /// Debug builds check networks of so many entities at the end of every tick.
  static constexpr u32 most_checked = 64;

  std::vector<u32> injected_at_, delivered_at_;
  bool injection_open_ = true;
  std::vector<u32> refused_;  ///< entities whose host wanted to inject while it might not
};

}  // namespace weft::models
