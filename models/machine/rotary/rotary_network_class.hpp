// A network of rotary routers as entities of the kernel: two rings of dual-port buffers in each, on which packets go
// round until an output that leads nearer takes them; docs/rotary.md says what is modelled.
#pragma once

#include <algorithm>
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
#include "models/machine/rotary/circle.hpp"
#include "models/machine/rotary/known_parts.hpp"
#include "models/machine/rotary/router_state.hpp"
#include "models/machine/rotary/settings.hpp"
#include "models/nic/endpoints.hpp"
#include "models/routing/packed_record.hpp"
#include "models/routing/routing.hpp"
#include "models/topology/lattice.hpp"

namespace weft::models::rotary {

/// The simulated network of one process; `Host` as for models::Network. A packet's RouteState holds the hops to go in
/// each dimension, and in phase and spare how many buffers of this router it has entered.
/// Larger than others: input stages, rings and output stages share one block, and are compiled into one loop.
template <class Host>
class RotaryNetwork : public endpoint::Endpoints {
 public:
  using HostType = Host;
  using HostPacket = typename Host::Packet;
  using Packet = Routed<HostPacket, RouteState>;
  static constexpr bool one_loop = endpoint::worth_one_loop<Host>();

  /// A header has reached an input stage.
  struct Arrival {
    u32 entity;
    u32 input;  ///< port
    Packet packet;
  };
  /// A packet has left the input stage behind an output.
  struct Credit {
    u32 entity;
    u32 output;  ///< port
  };
  /// The node has taken in the last phit of a packet.
  struct Consumed {
    u32 entity;
    u32 ring;  ///< that it came on
    Packet packet;
  };
  /// Look at the router.
  struct Wake {
    u32 entity;
  };
  using Events = endpoint::EventsWith<Host, Consumed, Arrival, Credit, Wake>;
  using Kernel = engine::Kernel<RotaryNetwork>;

  RotaryNetwork(const Topology& topology, const RouterSettings& settings, Layout& layout, Host& host);

  void attach(Kernel& kernel) { kernel_ = &kernel; }
  [[nodiscard]] Kernel& kernel() { return *kernel_; }

  // Kernel interface, phase one: a router has one event of a type and port in a tick at most, and different ones
  // commute.

  void prefetch(u32 entity) const {
    engine::prefetch(base_of(entity));
    engine::prefetch(base_of(entity) + 64);
  }
  void prefetch(const Arrival& e) const { prefetch(e.entity); }
  void prefetch(const Credit& e) const { prefetch(e.entity); }
  void prefetch(const Consumed& e) const { prefetch(e.entity); }
  void prefetch(const Wake& e) const { prefetch(e.entity); }
  void prefetch(const typename Host::Event& e) const { prefetch(e.entity); }

  void absorb(Tick tick, const Arrival& e) {
    if (live_ != nullptr && lose_on_arrival(e, tick)) [[unlikely]]
      return;
    append_in(e.entity, circle_.place(e.input), e.packet);
    note(e.entity, e.input, tick, e.packet);
    if (details_ != nullptr) [[unlikely]]
      tell(PacketEvent::Kind::arrived, at(e.entity, e.input, tick, e.packet), e.packet);
  }
  void absorb(Tick /*tick*/, const Credit& e) {
    ++port(e.entity, circle_.place(e.output)).credits;
    kernel_->touch(e.entity);
  }
  void absorb(Tick tick, const Consumed& e) {
    if (suspects_ && suspects_->holds(e.entity, circle_.node(), tick) && lose_at_node(e, tick)) [[unlikely]]
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
  /// Counts packets, free places and credits anew when tick `now` is done, of a network on one process. Throws Bug if
  /// some are lost.
  void check_conservation(Tick now) const;
  [[nodiscard]] std::size_t bytes() const { return std::size_t{block_bytes_} * layout_.entities(); }

 private:
  [[nodiscard]] std::byte* base_of(u32 entity) const { return memory_.get() + std::size_t{entity} * block_bytes_; }
  template <class T>
  [[nodiscard]] T* in_block(u32 entity, std::size_t at) const {
    return reinterpret_cast<T*>(base_of(entity) + at);
  }
  [[nodiscard]] RouterState& state(u32 entity) const { return *in_block<RouterState>(entity, 0); }
  [[nodiscard]] PortState& port(u32 entity, u32 place) const {
    return *in_block<PortState>(entity, shape_.port_at(place));
  }
  [[nodiscard]] BufferState& buffer(u32 entity, u32 ring, u32 place) const {
    return *in_block<BufferState>(entity, shape_.buffer_at(ring, place));
  }
  [[nodiscard]] Packet* lane_packets(u32 entity, u32 ring, u32 place, u32 lane) const {
    return in_block<Packet>(entity, shape_.lane_at(ring, place, lane));
  }
  [[nodiscard]] Tick* lane_ready(u32 entity, u32 ring, u32 place, u32 lane) const {
    return in_block<Tick>(entity, shape_.ready_at(ring, place, lane));
  }
  [[nodiscard]] Packet* out_packets(u32 entity, u32 place, u32 ring) const {
    return in_block<Packet>(entity, shape_.out_at(place, ring));
  }
  /// The node's input stage, the injection queue, stands behind those of links.
  [[nodiscard]] Packet* in_packets(u32 entity, u32 place) const {
    const u32 node = circle_.place(circle_.node());
    const u32 number = place == node ? circle_.places() - 1 : place - (place > node ? 1 : 0);
    return in_block<Packet>(entity, shape_.in_at(number));
  }
  [[nodiscard]] bool is_node(u32 place) const { return circle_.port(place) == circle_.node(); }
  [[nodiscard]] u32 in_capacity(u32 place) const {
    return is_node(place) ? settings_.injection_capacity : settings_.queue_packets;
  }
  [[nodiscard]] static u32 slot_behind(const Fifo& queue, u32 capacity) {
    const u32 slot = u32{queue.head} + queue.count;
    return slot >= capacity ? slot - capacity : slot;
  }
  static void take_off(Fifo& queue, u32 capacity) {
    if (++queue.head >= capacity) queue.head = 0;
    --queue.count;
  }
  void append_in(u32 entity, u32 place, const Packet& packet) {
    PortState& p = port(entity, place);
    in_packets(entity, place)[slot_behind(p.in, in_capacity(place))] = packet;
    ++p.in.count;
    ++state(entity).packets;
    kernel_->touch(entity);
  }
  void note(u32 entity, u32 place, Tick tick, const Packet& packet) {
    MachineStatistics::note(state(entity).global, place, tick, packet.identity());
  }

  // Buffers that a packet has entered in this router; those beyond `most_counted` are counted anew.
  static constexpr u32 most_counted = 0xffff;
  [[nodiscard]] static u32 entered(const Packet& packet) { return packet.state.phase | u32{packet.state.spare} << 8; }
  static void set_entered(Packet& packet, u32 buffers) {
    packet.state.phase = static_cast<u8>(buffers);
    packet.state.spare = static_cast<u8>(buffers >> 8);
  }

  // The engine, rotary_engine.hpp. Each says whether a packet has moved.

  bool move_buffers(u32 entity, Tick tick);
  bool move_lane(u32 entity, u32 ring, u32 place, u32 lane, Tick tick);
  bool start_links(u32 entity, Tick tick);
  bool move_in(u32 entity, u32 place, Tick tick);

  /// Whether a packet may leave by the output of a place.
  [[nodiscard]] bool may_leave(u32 entity, u32 place, const Packet& packet) const;
  /// Whether a ring has room for a packet of an input stage; and which of the two it takes, if both have.
  [[nodiscard]] bool lets_in(u32 entity, u32 ring, u32 place) const;
  [[nodiscard]] u32 better_ring(u32 entity, u32 place, const Packet& packet) const;
  /// Buffers from an input stage to the first that has an output for a packet.
  [[nodiscard]] u32 buffers_to_output(u32 entity, u32 ring, u32 place, const Packet& packet) const;
  void enter(u32 entity, u32 ring, u32 place, const Packet& packet, Tick tick);
  void leave_by(u32 entity, u32 place, const Packet& packet, u32 ring, Tick tick);
  void order_wake(u32 entity, Tick tick, bool moved);
  /// The next tick at which something is over that packets wait for.
  [[nodiscard]] Tick next_chance(u32 entity, Tick tick) const;

  // What fails during the run, rotary_faults.hpp.

  static constexpr u32 not_lost = LiveFaults::none;
  /// Whether a packet that arrives is gone: it was lost on the link, or is cut off here.
  [[nodiscard]] bool lose_on_arrival(const Arrival& e, Tick tick);
  /// Whether a packet is gone since its node did not work while it took it in.
  [[nodiscard]] bool lose_at_node(const Consumed& e, Tick tick);
  /// First thing in a tick in which something has changed: takes out what was in a router or node that does not work,
  /// and what is cut off. Whether there was any.
  bool look_through(u32 entity, Tick tick);
  template <class Gone>
  u32 take_out(Packet* packets, Tick* ready, Fifo& queue, u32 capacity, Gone&& gone);
  /// Which ports a router knows to lead on.
  void look_at_ports(u32 entity);
  /// From when a header leaves until it is in the queue behind a link.
  [[nodiscard]] Tick travel() const { return settings_.link_ticks + settings_.switch_ticks; }
  /// The event by which a header was lost that arrives; none if it was not.
  [[nodiscard]] u32 loss_on_link(const Arrival& e, Tick tick) const;
  /// Packets that wait for a link that is known to have failed go back to the ring, as if they had passed by.
  bool hand_back(u32 entity, u32 place, Tick tick);
  /// Whether no way is known by which a packet in a router could get to its node.
  [[nodiscard]] bool is_cut_off(u32 entity, const Packet& packet) const;
  /// Whether packets without a path wait for a repair.
  [[nodiscard]] bool may_wait() const { return live_->cut_off() == CutOff::wait && live_->damaged(); }
  /// A packet is gone by the event `lost`, or as it has no path. At its source, or in the network.
  void record_gone(u32 entity, const Packet& packet, u32 input, bool at_source, u32 lost, Tick tick);

  void drop_at_source(u32 entity, const Packet& packet, Tick tick) {
    record_gone(entity, packet, circle_.node(), true, not_lost, tick);
  }
  void deliver(const Consumed& e, Tick tick);
  void build();
  /// f(packet, place): the place of an input stage, or `nowhere`.
  template <class F>
  void for_each_packet(u32 entity, F&& f) const;
  static constexpr u32 nowhere = ~u32{0};
  [[nodiscard]] endpoint::AtNode at(u32 entity, u32 input, Tick tick, const Packet& packet) const {
    return {entity, state(entity).global, input, tick, packet.identity()};
  }
  void wake_at(u32 entity, Tick when) {
    RouterState& s = state(entity);
    if (s.wake <= when) return;
    s.wake = when;
    kernel_->schedule(when, Wake{entity});
  }

  const Lattice& lattice_;
  PackedRecord record_;
  PortCircle circle_;
  RingSettings ring_;
  u32 most_in_ring_;                   ///< packets of a ring up to which those from links enter
  u32 most_entered_;                   ///< buffers after which a packet may leave by any link
  const LiveFaults* live_;             ///< what fails during the run; null: nothing does
  std::unique_ptr<KnownParts> parts_;  ///< likewise
  Tick faults_changed_at_ = never;
  std::optional<SuspectPorts> suspects_;  ///< likewise
  Host& host_;
  Kernel* kernel_ = nullptr;
  BlockShape shape_;
  BlockMemory memory_;
  u32 block_bytes_ = 0;
  std::vector<engine::Address> peers_;  ///< [entity * ports + port]
};

}  // namespace weft::models::rotary
