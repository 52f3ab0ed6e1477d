// A network of SpiNNaker chips as entities of the kernel: six links, a merge of all inputs into one routing engine,
// waiting, going round, dropping. Another machine than models::Network, with the same face to hosts and runs;
// docs/spinnaker.md says what it models.
#pragma once

#include <bit>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "engine/base/prefetch.hpp"
#include "engine/kernel.hpp"
#include "models/core/block_memory.hpp"
#include "models/core/packet.hpp"
#include "models/core/suspect_ports.hpp"
#include "models/machine/spinnaker/directions.hpp"
#include "models/machine/spinnaker/merge_tree.hpp"
#include "models/machine/spinnaker/multicast_tables.hpp"
#include "models/machine/spinnaker/router_state.hpp"
#include "models/machine/spinnaker/settings.hpp"
#include "models/nic/endpoints.hpp"
#include "models/routing/packed_record.hpp"
#include "models/routing/routing.hpp"
#include "models/topology/lattice.hpp"

namespace weft::models::spinnaker {

/// The simulated network of one process; `Host` as for models::Network. A packet's RouteState holds the hops to go in
/// each dimension (unicast) or the tick of its injection (multicast), and the leg of a way round that it is on.
/// Larger than others: unicast and multicast share queues, links and waits, and are compiled into one loop.
template <class Host>
class SpinnakerNetwork : public endpoint::Endpoints {
 public:
  using HostType = Host;
  using HostPacket = typename Host::Packet;
  using Packet = Routed<HostPacket, RouteState>;
  static constexpr bool one_loop = endpoint::worth_one_loop<Host>();

  /// A packet is whole in an input queue.
  struct Arrival {
    u32 entity;
    u32 input;
    Packet packet;
  };
  /// A packet has left the queue behind an output.
  struct Credit {
    u32 entity;
    u32 output;
  };
  /// The node has taken in the last phit of a packet.
  struct Consumed {
    u32 entity;
    u32 input;  ///< that it came through, for reports
    Packet packet;
  };
  /// Look at the router.
  struct Wake {
    u32 entity;
  };
  using Events = endpoint::EventsWith<Host, Consumed, Arrival, Credit, Wake>;
  using Kernel = engine::Kernel<SpinnakerNetwork>;

  SpinnakerNetwork(const Topology& topology, const RouterSettings& settings, Layout& layout, Host& host);

  void attach(Kernel& kernel) { kernel_ = &kernel; }
  [[nodiscard]] Kernel& kernel() { return *kernel_; }

  // Kernel interface, phase one: a router has one event of a type and port in a tick at most, and different ones
  // commute.

  void prefetch(u32 entity) const {
    engine::prefetch(base_of(entity));
    engine::prefetch(base_of(entity) + 64);
  }
  void prefetch(const Arrival& e) const {
    prefetch(e.entity);
    engine::prefetch(queue(e.entity, e.input));
  }
  void prefetch(const Credit& e) const { engine::prefetch(base_of(e.entity) + 64); }
  void prefetch(const Consumed& e) const { engine::prefetch(base_of(e.entity) + 64); }
  void prefetch(const Wake& e) const { prefetch(e.entity); }
  void prefetch(const typename Host::Event& e) const { prefetch(e.entity); }

  void absorb(Tick tick, const Arrival& e) {
    if (suspects_ && suspects_->holds(e.entity, e.input, tick) && lose_on_link(e, tick)) [[unlikely]]
      return;
    append(e.entity, e.input, e.packet, settings_.queue_packets);
    note(e.entity, e.input, tick, e.packet);
    if (details_ != nullptr) [[unlikely]]
      tell(PacketEvent::Kind::arrived, at(e.entity, e.input, tick, e.packet), e.packet);
  }
  void absorb(Tick /*tick*/, const Credit& e) {
    RouterState& s = state(e.entity);
    ++s.credits[e.output];
    if ((s.awaited >> e.output & 1) != 0) kernel_->touch(e.entity);
  }
  void absorb(Tick tick, const Consumed& e) {
    if (suspects_ && suspects_->holds(e.entity, local, tick) && lose_at_node(e, tick)) [[unlikely]]
      return;
    deliver(e, tick);
  }
  void absorb(Tick tick, const Wake& e) {
    RouterState& s = state(e.entity);
    if (s.wake != tick) return;  // an earlier one came, and ordered what was needed
    s.wake = never;
    kernel_->touch(e.entity);
  }
  void absorb(Tick tick, const typename Host::Event& e) { host_.absorb(*this, tick, e); }

  // Phase two.
  void act(Tick tick, u32 entity);
  void finish() { check_tick(*this, kernel_->now()); }

  [[nodiscard]] u32 global_id(u32 entity) const { return state(entity).global; }
  /// What works has changed, or what routers know of it, at tick `now`; between runs.
  void faults_changed(Tick now);

  // For the host.

  /// Puts a packet into the injection queue, and sets when it was generated. False if that is full.
  bool inject(u32 entity, const HostPacket& sent, Tick tick, u64 bits);
  /// Lets hosts inject from tick `now` on, or not; between runs.
  void set_injection(bool open, Tick now);
  [[nodiscard]] bool is_endpoint(u32 /*entity*/) const { return true; }
  [[nodiscard]] NodeNumbers policy() const { return {}; }

  // For checkpoints and reports, as those of models::Network.

  [[nodiscard]] u32 state_bytes(u32 /*entity*/) const {
    return block_bytes_ + static_cast<u32>(sizeof(EndpointCounts));
  }
  [[nodiscard]] u32 work(u32 entity) const { return state(entity).work; }
  void save(u32 entity, std::byte* to) const;
  void load(u32 entity, std::span<const std::byte> from);
  void count_details(Details& details);
  void sample_queues(QueueSizes& sizes) const;
  [[nodiscard]] std::vector<Blocked> blocked() const;
  [[nodiscard]] InFlight in_flight(Tick now) const;
  void check_drained() const;
  /// Counts packets and credits anew when tick `now` is done, of a network on one process. Throws Bug if some are lost.
  void check_conservation(Tick now) const;
  [[nodiscard]] std::size_t bytes() const { return std::size_t{block_bytes_} * layout_.entities(); }
  /// Null in mode unicast.
  [[nodiscard]] const MulticastTables* tables() const { return tables_.get(); }

 private:
  [[nodiscard]] std::byte* base_of(u32 entity) const { return memory_.get() + std::size_t{entity} * block_bytes_; }
  [[nodiscard]] RouterState& state(u32 entity) const { return *reinterpret_cast<RouterState*>(base_of(entity)); }
  /// The packet in the engine, and the slots of an input's queue behind it.
  [[nodiscard]] Packet& engine_packet(u32 entity) const {
    return *reinterpret_cast<Packet*>(base_of(entity) + sizeof(RouterState));
  }
  [[nodiscard]] Packet* queue(u32 entity, u32 input) const {
    return &engine_packet(entity) + 1 + std::size_t{input} * settings_.queue_packets;
  }
  [[nodiscard]] MonitorState& monitor_of(u32 entity) const {
    return *reinterpret_cast<MonitorState*>(base_of(entity) + monitor_at_);
  }
  [[nodiscard]] Packet* kept(u32 entity) const {
    return reinterpret_cast<Packet*>(base_of(entity) + monitor_at_ + sizeof(MonitorState));
  }
  [[nodiscard]] u32 capacity(u32 input) const {
    return input == injection ? settings_.injection_capacity : settings_.queue_packets;
  }

  void append(u32 entity, u32 input, const Packet& packet, u32 capacity) {
    RouterState& s = state(entity);
    u32 slot = s.head[input] + s.count[input];
    if (slot >= capacity) slot -= capacity;
    queue(entity, input)[slot] = packet;
    ++s.count[input];
    s.waiting |= static_cast<u8>(1U << input);
    if (s.pending == 0) kernel_->touch(entity);
  }
  void note(u32 entity, u32 place, Tick tick, const Packet& packet) {
    MachineStatistics::note(state(entity).global, place, tick, packet.identity());
  }

  // The engine, spinnaker_engine.hpp.

  void take(u32 entity, Tick tick);
  /// The packet that the monitor core offers comes into the engine, with the outputs that it has still to leave by.
  void take_back(u32 entity, Tick tick);
  /// Outputs of the packet in the engine, which came through `input`.
  [[nodiscard]] u8 route(u32 entity, u32 input);
  void serve(u32 entity, Tick tick);
  [[nodiscard]] static bool open(const RouterState& s, u32 output, Tick tick) {
    return has_credit(s, output) && s.busy_until[output] <= tick;
  }
  [[nodiscard]] static bool has_credit(const RouterState& s, u32 output) {
    return s.credits[output] != 0 && (s.closed >> output & 1) == 0;
  }
  void leave_by(u32 entity, u32 output, Tick tick);
  void go_round(u32 entity, u32 output, Tick tick);
  void start_link(u32 entity, u32 output, const Packet& packet, Tick tick);
  void consume(u32 entity, Tick tick);
  void drop(u32 entity, u32 output, Tick tick);
  /// Copies that waited too long: the monitor core keeps them, or they are dropped.
  void give_up(u32 entity, Tick tick);
  /// Whether a copy may leave by an output some day, straight or round.
  [[nodiscard]] bool may_leave(u32 entity, u32 output) const;
  /// The monitor core looks at the router, at the beginning of a tick.
  void look(u32 entity, Tick tick);
  /// The monitor core's packet has gone in: the next one follows.
  void follow(u32 entity);
  void order_wake(u32 entity, Tick tick);
  /// When the packet in the engine may get further without a credit; sets `awaited`.
  [[nodiscard]] Tick next_chance(RouterState& s, Tick tick) const;

  // What fails during the run, spinnaker_faults.hpp.

  /// Whether a packet that arrives was lost on the link: it is gone then, and its place free.
  [[nodiscard]] bool lose_on_link(const Arrival& e, Tick tick);
  /// Whether a packet is gone since its node did not work while it took it in.
  [[nodiscard]] bool lose_at_node(const Consumed& e, Tick tick);
  /// First thing in a tick in which something has changed: what was in a router or node that does not work is gone.
  void lose_what_failed(u32 entity, Tick tick);
  void lose_queue(u32 entity, u32 input, u32 event, Tick tick);
  /// A packet is gone by an event; `place`: of the digest.
  void lose(u32 entity, const Packet& packet, u32 input, u32 place, u32 event, Tick tick);
  /// A packet of a node that does not work.
  void lose_at_source(u32 entity, const Packet& packet, u32 event, Tick tick);
  /// Which outputs a router knows not to lead on.
  void close_outputs(u32 entity);
  /// From when a packet leaves until it is in the queue behind a link.
  [[nodiscard]] Tick travel() const {
    return settings_.link_ticks + settings_.packet_ticks - settings_.cycle_ticks + settings_.switch_ticks;
  }
  void tell_host(const Packet& packet, bool cut_off, Tick tick) {
    if constexpr (requires { host_.lost(tick, NodeId(0), packet, true); }) {
      if (live_ != nullptr) host_.lost(tick, NodeId(packet.from), packet, cut_off);
    }
  }

  void deliver(const Consumed& e, Tick tick);
  void build();
  [[nodiscard]] endpoint::AtNode at(u32 entity, u32 input, Tick tick, const Packet& packet) const {
    return {entity, state(entity).global, input, tick, packet.identity()};
  }
  void wake_at(u32 entity, Tick when) {
    RouterState& s = state(entity);
    if (s.wake <= when) return;
    s.wake = when;
    kernel_->schedule(when, Wake{entity});
  }

  static constexpr Tick most_sleep_cycles = 64;

  const Lattice& lattice_;
  PackedRecord record_;
  Patience patience_;
  Reinjection reinjection_;
  const LiveFaults* live_;  ///< what fails during the run; null: nothing does
  Tick faults_changed_at_ = never;
  std::optional<SuspectPorts> suspects_;  ///< likewise
  Host& host_;
  Kernel* kernel_ = nullptr;
  std::unique_ptr<MulticastTables> tables_;  ///< null: unicast
  BlockMemory memory_;                       ///< blocks, one after the other: RouterState, packet in the engine, queues
  u32 block_bytes_ = 0, monitor_at_ = 0;
  std::vector<engine::Address> peers_;  ///< [entity * links + port]
};

}  // namespace weft::models::spinnaker
