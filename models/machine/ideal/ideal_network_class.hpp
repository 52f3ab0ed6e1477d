// Nodes without a network between them as entities of the kernel: a message costs what the LogGOPS model says, and no
// two disturb each other but at the NIC that they leave by. Another machine than models::Network, with the same face to
// hosts and runs; docs/ideal.md says what it models.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include "engine/base/prefetch.hpp"
#include "engine/kernel.hpp"
#include "models/core/packet.hpp"
#include "models/machine/ideal/nic_state.hpp"
#include "models/machine/ideal/settings.hpp"
#include "models/nic/endpoints.hpp"
#include "models/nic/message_costs.hpp"

namespace weft::models::ideal {

/// Hosts that tell each other something besides packets: `Signal` is a plain struct whose first member is `u32 entity`,
/// and the host has `absorb(net, tick, const Signal&)`.
template <class Host>
concept Signals = requires {
  typename Host::Signal;
};

/// The event types of a machine, those of its host behind them.
template <class Host, class... Own>
struct EventsWith {
  using Types = engine::EventTypes<Own..., typename Host::Event>;
};
template <Signals Host, class... Own>
struct EventsWith<Host, Own...> {
  using Types = engine::EventTypes<Own..., typename Host::Signal, typename Host::Event>;
};

/// The simulated network of one process; `Host` as for models::Network. A host hands over either packets, which leave
/// one after the other (inject), or messages whose times it has worked out itself (post).
/// Larger than others: both kinds of hosts share it, and nodes that fail.
template <class Host>
class IdealNetwork : public endpoint::Endpoints {
 public:
  using HostType = Host;
  using HostPacket = typename Host::Packet;
  static constexpr bool is_ideal = true;
  static constexpr bool any_length = true;
  static constexpr bool one_loop = endpoint::worth_one_loop<Host>();

  /// A packet that waited leaves its NIC.
  struct Departure {
    u32 entity;
    u32 cells;
    HostPacket packet;
  };
  /// A packet has been taken in by its destination.
  struct Arrival {
    u32 entity;
    u32 cells;
    HostPacket packet;
  };
  /// The host has to be notified of free space.
  struct Wake {
    u32 entity;
  };
  using Events = typename EventsWith<Host, Departure, Arrival, Wake>::Types;
  using Kernel = engine::Kernel<IdealNetwork>;

  IdealNetwork(const Topology& topology, const RouterSettings& settings, Layout& layout, Host& host);

  void attach(Kernel& kernel) { kernel_ = &kernel; }
  [[nodiscard]] Kernel& kernel() { return *kernel_; }

  // Kernel interface, phase one. A NIC's departures come before what its host does in the tick; all else commutes.

  void prefetch(u32 entity) const {
    engine::prefetch(&nics_[entity]);
    if constexpr (requires { host_.prefetch(entity); }) host_.prefetch(entity);
  }
  template <class Event>
  void prefetch(const Event& e) const {
    prefetch(e.entity);
  }
  void prefetch_near(u32 entity, unsigned stage) const {
    if constexpr (requires { host_.prefetch_near(entity, stage); }) host_.prefetch_near(entity, stage);
  }

  void absorb(Tick tick, const Departure& e) {
    NicState& nic = nics_[e.entity];
    --nic.queued;
    if (nic.free_space.left(tick)) kernel_->touch(e.entity);
    if (live_ != nullptr && lose_at_source(e, tick)) [[unlikely]]
      return;
    depart(e, tick);
  }
  void absorb(Tick tick, const Arrival& e) {
    if (live_ != nullptr && lose_on_arrival(e, tick)) [[unlikely]]
      return;
    hand_over(*this, host_, at(e, tick), {.whole = tick, .distance = 1, .hops = 1}, e.packet);
  }
  void absorb(Tick /*tick*/, const Wake& e) { kernel_->touch(e.entity); }
  /// Events and signals of the host.
  template <class HostEvent>
  void absorb(Tick tick, const HostEvent& e) {
    host_.absorb(*this, tick, e);
  }

  // Phase two.

  void act(Tick tick, u32 entity) {
    if (nics_[entity].free_space.take(tick)) host_.space(*this, tick, entity);
    if constexpr (Host::acts) host_.act(*this, tick, entity);
  }
  void finish() { check_tick(*this, kernel_->now()); }

  [[nodiscard]] u32 global_id(u32 entity) const { return nics_[entity].global; }
  /// Which nodes work has changed, or what the others know of it: whatever leaves or arrives looks by itself.
  void faults_changed(Tick /*now*/) {}

  // For the host.

  /// What messages cost.
  [[nodiscard]] const Costs& costs() const { return costs_; }
  /// Takes a packet that was generated at `tick`: it leaves when the NIC is through with those before it, and is
  /// delivered when the destination has taken it in (Costs::alone). False if too many wait.
  bool inject(u32 entity, const HostPacket& sent, Tick tick, u64 bits, u32 cells);
  /// A message of `bytes` that leaves at `tick` and is delivered at `arrival`, at least the lookahead later.
  void post(u32 entity, const HostPacket& sent, Tick tick, Tick arrival, u64 bytes);
  /// Tells the host of node `to` something at tick `when`, at least the lookahead later: no packet, not counted.
  template <class What>
  void signal(u32 entity, NodeId to, const What& what, Tick when) {
    static_assert(Signals<Host> && offsetof(What, entity) == 0);
    WEFT_ASSERT(when >= kernel_->now() + settings_.link_ticks);
    kernel_->send(address_of(to.value()), when, what, entity);
  }
  /// Lets hosts inject from tick `now` on, or not; between runs.
  void set_injection(bool open, Tick now);
  [[nodiscard]] bool is_endpoint(u32 /*entity*/) const { return true; }
  [[nodiscard]] NodeNumbers policy() const { return {}; }

  // For checkpoints and reports, as those of models::Network.

  [[nodiscard]] u32 state_bytes(u32 /*entity*/) const {
    return static_cast<u32>(sizeof(NicState) + sizeof(EndpointCounts));
  }
  [[nodiscard]] u32 work(u32 entity) const { return nics_[entity].work; }
  void save(u32 entity, std::byte* to) const;
  void load(u32 entity, std::span<const std::byte> from);
  void count_details(Details& details);
  void sample_queues(QueueSizes& sizes) const;
  /// None, ever.
  [[nodiscard]] std::vector<Blocked> blocked() const { return {}; }
  [[nodiscard]] InFlight in_flight(Tick now) const;
  void check_drained() const;
  /// Counts packets anew when tick `now` is done, of a network on one process. Throws Bug if some are lost.
  void check_conservation(Tick now) const;
  [[nodiscard]] std::size_t bytes() const { return sizeof(NicState) * nics_.size(); }

 private:
  /// A packet leaves.
  void depart(const Departure& e, Tick tick);
  [[nodiscard]] engine::Address address_of(u32 node) const { return layout_.address({Peer::Kind::router, node, 0}); }
  [[nodiscard]] u64 bytes_of(u32 cells) const { return u64{cells} * settings_.phit_bytes; }
  template <class Event>
  [[nodiscard]] endpoint::AtNode at(const Event& e, Tick tick) const {
    return {e.entity, nics_[e.entity].global, 0, tick, e.packet.identity(), e.cells};
  }
  void count_link(u32 entity, Tick tick, Tick busy);

  // What fails during the run, ideal_faults.hpp.

  /// Whether what is to leave is gone: its node has not worked since it was generated, or it is cut off.
  template <class Event>
  [[nodiscard]] bool lose_at_source(const Event& e, Tick tick);
  /// Whether what arrives was lost: one of the two nodes has not worked since it left.
  [[nodiscard]] bool lose_on_arrival(const Arrival& e, Tick tick);
  template <class Event>
  void record_gone(const Event& e, u32 lost, Tick tick);

  Host& host_;
  Costs costs_;
  const LiveFaults* live_;  ///< what fails during the run; null: nothing does
  Kernel* kernel_ = nullptr;
  std::vector<NicState> nics_;  ///< [entity]
};

}  // namespace weft::models::ideal
