// The network model: routers and NICs as entities of the kernel, virtual cut-through by head arrivals, releases and
// credits.
#pragma once

#include <span>
#include <vector>

#include "engine/base/prefetch.hpp"
#include "engine/kernel.hpp"
#include "models/core/block_memory.hpp"
#include "models/core/packet.hpp"
#include "models/machine/packets/departures.hpp"
#include "models/machine/packets/policy.hpp"
#include "models/nic/endpoints.hpp"

namespace weft::models {

/// The simulated network of one process. `Policy` makes the requests of a router; `Host` is what sits behind the NICs
/// and provides
///   using Packet, Event (with `u32 entity`)      static constexpr bool acts
///   void absorb(Network&, Tick, const Event&)    its timers
///   void act(Network&, Tick, u32 entity)         phase two, before the router's requests (if `acts`)
///   void delivered(Network&, Tick now, Tick at, u32 entity, const Packet&)
///   void space(Network&, Tick, u32 entity)       phase two, first of all: packets have left injection queues
/// Larger than others: what an event does to a router, its queues and its ports is compiled into one loop.
template <class Policy, class Host>
class Network : public endpoint::Endpoints {
 public:
  static_assert(RouterPolicy<Policy>);
  using HostType = Host;
  /// What the host hands over, and what travels.
  using HostPacket = typename Host::Packet;
  using Packet = PacketWith<HostPacket, typename Policy::State>;
  using Route = typename Policy::Route;
  static constexpr unsigned words = Policy::words;
  static constexpr bool one_loop = Policy::one_loop && endpoint::worth_one_loop<Host>();
  static constexpr bool has_state = !std::is_empty_v<typename Policy::State>;
  using ShapeType = typename Policy::ShapeType;
  using BlockType = Block<words, Route, Packet, ShapeType>;

  /// The header of a packet reaches an input queue.
  struct Arrival {
    u32 entity;
    u32 input;
    Packet packet;
  };
  /// The first packet of the far queue has begun to leave; or, if `late`, has left a queue that was full: until then
  /// there is no free space, and nobody looks at its occupancy (Policy::full_queues_are_alike).
  struct Credit {
    Credit() = default;
    Credit(u32 entity_, u32 output, bool late) : entity(entity_), word(output | u32{late} << 16) {}
    [[nodiscard]] u32 output() const { return static_cast<u16>(word); }
    [[nodiscard]] bool late() const { return word >> 16 != 0; }
    u32 entity = 0;
    u32 word = 0;  ///< output and late, stored and moved as a whole
  };
  /// A packet's tail has left: through a link, or by consumption, or it is gone.
  struct Release {
    enum class Through : u8 { link, consumption, drop, late };
    Release() = default;
    Release(u32 entity_, u32 index, Through through) : entity(entity_), word(index | static_cast<u32>(through) << 16) {}
    [[nodiscard]] u32 index() const { return static_cast<u16>(word); }  ///< the port of a link; else the input
    [[nodiscard]] Through through() const { return static_cast<Through>(word >> 16); }
    u32 entity = 0;
    u32 word = 0;
  };
  /// Look at the requests again.
  struct Wake {
    u32 entity;
  };
  using Events = endpoint::EventsWith<Host, Release, Arrival, Credit, Wake>;
  using Kernel = engine::Kernel<Network>;

  Network(const Topology& topology, const RouterSettings& settings, Layout& layout, Host& host)
      : Endpoints(topology, settings, layout), policy_(topology, settings), host_(host) {
    build();
  }

  void attach(Kernel& kernel) { kernel_ = &kernel; }
  [[nodiscard]] Kernel& kernel() { return *kernel_; }

  // Kernel interface, phase one.
  void prefetch(const Arrival& e) const;
  void prefetch(const Credit& e) const;
  void prefetch(const Release& e) const;
  void prefetch(const Wake& e) const { engine::prefetch(block(e.entity).base); }
  void prefetch(const typename Host::Event& e) const { prefetch_masks(block(e.entity)); }
  void prefetch(u32 entity) const {
    prefetch_masks(block(entity));
    if constexpr (requires { host_.prefetch(entity); }) {
      if (large_) host_.prefetch(entity);
    }
  }
  /// What a credit leads to if packets asleep have to be notified of it: who they are.
  void prefetch_near(const Credit& e) const;
  /// What a release leads to: the queue that the packet leaves, and the packet behind it; at its destination, what the
  /// host keeps of its message.
  void prefetch_near(const Release& e) const;
  /// What the requests of a router lead to: its ports and channels, then the queues that wait.
  void prefetch_near(u32 entity, unsigned stage) const;

  void absorb(Tick tick, const Arrival& e) {
    const BlockType b = block(e.entity);
    auto& in = b.input(e.input);
    u32 slot = in.head + in.count;
    if (slot >= settings_.queue_packets) slot -= settings_.queue_packets;
    b.packet(e.input, slot) = e.packet;
    if constexpr (Policy::knows_live_faults) {
      if (settings_.live_faults != nullptr) [[unlikely]]
        lose_if_cut(b, e.input, slot, tick);
    }
    in.arrival = static_cast<u32>(tick);
    note(b.head().global, e.input, tick, e.packet.identity());
    if (details_ != nullptr) [[unlikely]]
      tell(PacketEvent::Kind::arrived, at(b, e.entity, e.input, tick, e.packet), e.packet, policy_);
    if (in.count++ == 0) become_first(b, e.entity, e.input, tick);
  }

  void absorb(Tick tick, const Credit& e) {
    const BlockType b = block(e.entity);
    if (e.late()) return space_again(b, e.entity, e.output());
    const u32 slot = b.slot(e.output());
    u8& used = b.used(slot);
    u8& flags = b.flags(slot);
    const bool was_full = used >= settings_.queue_packets;
    // The drain before this one ended long ago: a link delivers one credit a packet time.
    used = static_cast<u8>(used - ((flags & BlockType::draining) != 0 ? 1 : 0));
    flags |= BlockType::draining;
    b.drain_base(slot) = static_cast<u32>(tick - settings_.cycle_ticks);
    // The router's own line is left alone where nothing there can change.
    if (used < settings_.queue_packets) {
      if (was_full) {
        b.head().space.set(e.output());
        b.head().refill.clear(e.output());
      }
      if (b.watched() != 0 && b.owner(e.output()) == no_port<words>) {
        // Who sleeps has reckoned that open channels do not begin to drain.
        if (policy_.changed(b, e.output())) kernel_->touch(e.entity);
        b.watched() = b.head().asleep.any() ? 1 : 0;
      }
      return;
    }
    auto& head = b.head();
    head.refill.set(e.output());
    if (awaited(b, e.output())) wake_at(head, e.entity, tick, tick + settings_.packet_ticks - settings_.cycle_ticks);
  }

  void absorb(Tick tick, const Release& e) {
    const BlockType b = block(e.entity);
    auto& head = b.head();
    const ShapeType& shape = *b.shape;
    u32 input = e.index(), output = shape.channels;
    bool look = false;  // worked out without branches: most of this is as good as random
    if (e.through() == Release::Through::link) [[likely]] {
      OutputPort& port = b.port(e.index());
      output = e.index() * policy_.virtual_channels() + port.current;
      input = b.owner(output);
      port.current = no_channel;
      head.kick.set(e.index());
      b.owner(output) = no_port<words>;
      b.flags(b.slot(output)) &= static_cast<u8>(~BlockType::sending);
      head.free.set(output);
      look = policy_.released(b, output) | (port.granted != 0);
    } else {
      if (e.through() == Release::Through::consumption) {
        deliver(b, e.entity, input, tick);
      } else {
        drop(b, e.entity, input, tick, e.through() == Release::Through::late);
      }
      if (b.input(input).output == output) {
        b.owner(output) = no_port<words>;
        head.free.set(output);
      }
    }
    remove_first(b, e.entity, input, tick);
    if (input >= shape.channels) {
      b.set_injection_space();  // the host is notified in phase two: several queues may make free space in one tick
      look = true;
    }
    auto seekers = policy_.concerned(b, output);
    seekers |= policy_.bubble_seekers(b, input);
    look = look | (head.waiting & seekers).any();
    if (look) kernel_->touch(e.entity);
  }

  void absorb(Tick tick, const Wake& e) {
    auto& head = block(e.entity).head();
    if constexpr (Policy::knows_live_faults) {
      if (tick == faults_changed_at_) [[unlikely]]
        route_again(block(e.entity), e.entity, tick);
    }
    const u32 now = static_cast<u32>(tick);
    // An earlier one has come since, and ordered what was needed; but one for a tick that is 0 here `wake` could not
    // tell of.
    if (head.wake != now && now != 0) return;
    if (head.wake == now) head.wake = 0;
    if (head.waiting.any() || block(e.entity).injection_space()) kernel_->touch(e.entity);
  }
  void absorb(Tick tick, const typename Host::Event& e) { host_.absorb(*this, tick, e); }

  // Kernel interface, phase two.
  void act(Tick tick, u32 entity);
  /// The end of phase two: departures that are left.
  void finish() {
    departures_.finish([this](const Departure<Packet>& departure) { send(departure); });
    check_tick(*this, kernel_->now());
  }

  [[nodiscard]] u32 global_id(u32 entity) const { return block(entity).head().global; }

  // For the host.

  /// Puts a packet into the injection queue that the injection policy picks, and sets when it was generated: this tick,
  /// or an earlier one. False if that queue is full.
  bool inject(u32 entity, const HostPacket& sent, Tick tick, u64 bits) {
    return inject(entity, sent, tick, bits, tick);
  }
  bool inject(u32 entity, const HostPacket& sent, Tick tick, u64 bits, Tick generated_at);

  /// Lets hosts inject from tick `now` on, or not; between runs. Those who were refused are notified of it as of free
  /// space in their queues.
  void set_injection(bool open, Tick now);

  /// Between runs: parts have failed or come back, or routers know of it, at tick `now`. Packets that wait are routed
  /// anew then.
  void faults_changed(Tick now) requires(Policy::knows_live_faults);

  /// Whether packets enter and leave the network at this entity.
  [[nodiscard]] bool is_endpoint(u32 entity) const { return block(entity).shape->endpoint; }
  [[nodiscard]] const Policy& policy() const { return policy_; }
  /// Bytes of an entity's state between runs, without what is laid out anew for each partition: its peers' addresses.
  [[nodiscard]] u32 state_bytes(u32 entity) const { return block(entity).shape->bytes + sizeof(EndpointCounts); }
  /// Packets that an entity has put on its links.
  [[nodiscard]] u32 work(u32 entity) const { return block(entity).work(); }
  void save(u32 entity, std::byte* to) const;
  /// Throws InputError if these are not state_bytes(entity).
  void load(u32 entity, std::span<const std::byte> from);

  /// Starts to count details, and to tell of packets; `details` must outlive this.
  void count_details(Details& details);
  /// Adds up the occupancy of the queues; channels without a link count as empty.
  void sample_queues(QueueSizes& sizes) const;
  [[nodiscard]] std::vector<Blocked> blocked() const;
  /// Packets of this process when all before tick `now` is done, counted where they are: in queues, and on links to a
  /// router of this process.
  [[nodiscard]] InFlight in_flight(Tick now) const;
  /// Checks at the end of a drained run that every queue is empty and every credit is back. Throws Bug otherwise.
  void check_drained() const;
  /// Recounts from scratch, when all of tick `now` is done, what routers keep account of: packets, and the free space
  /// in each queue as the router before it knows it. Throws Bug with the place and the numbers. Of networks that live
  /// on one process.
  void check_conservation(Tick now) const;
  /// Between runs: calls f(entity, through, channel, packet, leaving) for each packet that is wholly or partly in a
  /// queue of a link: local entity, port that it came through, virtual channel; `leaving`: its header has left.
  template <class F>
  void for_each_queued(F&& f) const;
  [[nodiscard]] std::size_t bytes() const { return memory_.bytes(); }

 private:
  [[nodiscard]] std::byte* base_of(u32 entity) const {
    if constexpr (Policy::one_shape) return memory_.get() + static_cast<std::size_t>(entity) * shape_.bytes;
    return reinterpret_cast<std::byte*>(blocks_[entity] & ~shape_bits);
  }
  [[nodiscard]] BlockType block(u32 entity) const {
    if constexpr (Policy::one_shape) return {base_of(entity), &shape_};
    return {base_of(entity), &shapes_[blocks_[entity] & shape_bits]};
  }
  static void prefetch_masks(const BlockType& b);
  void prefetch_queue(const BlockType& b, u32 input) const;
  void prefetch_injection(const BlockType& b, unsigned stage) const;

  /// The first packet of an input changes: works out where it may go.
  void become_first(const BlockType& b, u32 entity, u32 input, Tick tick) {
    auto& in = b.input(input);
    in.stamp = static_cast<u32>(tick);
    auto& head = b.head();
    head.asleep.clear(input);
    const Verdict verdict = policy_.route(b, input, b.packet(input, in.head), in.stamp);
    if (verdict == Verdict::arrived && immediate_consumption_) return consume(b, entity, input, tick);
    if (verdict == Verdict::dropped) [[unlikely]]
      return discard(b, entity, input, tick);
    head.waiting.set(input);
    kernel_->touch(entity);
  }

  /// By how many ticks a packet that begins to leave now holds the link of a port longer than its own length, and the
  /// queue that it leaves: its header sets out so much later, and the rest follows as on any link.
  [[nodiscard]] Tick slowdown(const BlockType& b, u32 port, Tick tick) const {
    if constexpr (Policy::knows_live_faults) {
      if (slow_links_) [[unlikely]]
        return b.shape->nic
                   ? 0
                   : settings_.live_faults->slowdown(RouterId(b.head().global), port, tick, settings_.packet_ticks);
    }
    return 0;
  }
  /// Marks a packet that has just arrived if it was lost on its way.
  void lose_if_cut(const BlockType& b, u32 input, u32 slot, Tick tick);
  void route_again(const BlockType& b, u32 entity, Tick tick);
  [[nodiscard]] bool is_concerned(const BlockType& b) const;
  /// Whether a packet has been granted a link that it has not begun to take.
  [[nodiscard]] static bool has_granted(const BlockType& b);

  void consume(const BlockType& b, u32 entity, u32 input, Tick tick);
  /// Takes out a packet that goes nowhere, like one that is consumed, and counts it as dropped.
  void discard(const BlockType& b, u32 entity, u32 input, Tick tick,
               typename Release::Through why = Release::Through::drop);
  /// Takes out the packets that have been first in their injection queues for too long, and looks again when others
  /// will have been.
  void discard_late(const BlockType& b, u32 entity, Tick tick);

  void send_credit(const BlockType& b, u32 entity, u32 input, Tick tick) {
    const u32 through = b.shape->port_of[input];
    const OutputPort& back = b.port(policy_.fed_port(through));
    const u32 output = back.credit_base + input - through * policy_.virtual_channels();
    if (b.input(input).count == settings_.queue_packets && policy_.full_queues_are_alike(*b.shape, through)) {
      const Tick left = tick + back.link_ticks + settings_.packet_ticks - settings_.cycle_ticks;
      return kernel_->send(back.peer, left, Credit(0, output, true), entity);
    }
    kernel_->send(back.peer, tick + back.link_ticks, Credit(0, output, false), entity);
  }

  /// A packet has left the full queue behind `output`.
  void space_again(const BlockType& b, u32 entity, u32 output) {
    --b.used(b.slot(output));
    b.head().space.set(output);
    if (policy_.changed(b, output) || awaited(b, output)) kernel_->touch(entity);
  }

  void remove_first(const BlockType& b, u32 entity, u32 input, Tick tick) {
    auto& in = b.input(input);
    const u32 capacity = input < b.shape->channels ? settings_.queue_packets : settings_.injection_capacity;
    in.output = no_port<words>;
    // A queue that is empty begins at its first place again: the packets of one that is never full keep to one line.
    if (++in.head >= capacity || in.count == 1) in.head = 0;
    if (--in.count > 0) become_first(b, entity, input, tick);
  }

  void deliver(const BlockType& b, u32 entity, u32 input, Tick tick);

  /// Whether a packet was on a link, or in a router, that failed.
  [[nodiscard]] static bool was_lost(const Packet& packet) {
    if constexpr (Policy::knows_live_faults) return packet.state.is_lost();
    return false;
  }
  /// A packet is gone, by a rule of the model. `late`: it has waited too long in its injection queue.
  void drop(const BlockType& b, u32 entity, u32 input, Tick tick, bool late);

  [[nodiscard]] static endpoint::AtNode at(const BlockType& b, u32 entity, u32 input, Tick tick, const Packet& packet) {
    return {entity, b.head().global, input, tick, packet.identity()};
  }

  /// Free space that has come back to outputs that had none.
  void refill(const BlockType& b, u32 now);

  /// Arbitrates every output asked for. Those who lose may do better in the next cycle.
  void grant_all(const BlockType& b, u32 entity, Tick tick, Draw& draw);

  /// IPR: with probability P transit packets alone compete, if there are any.
  [[nodiscard]] engine::BitSet<words> prefer_transit(const BlockType& b, const engine::BitSet<words>& candidates,
                                                     u32 output, u64 bits) const;

  void grant(const BlockType& b, u32 entity, u32 input, u32 output, Tick tick);

  /// Idle links take the next granted packet, round-robin over the virtual channels.
  void start_links(const BlockType& b, u32 entity, Tick tick);

  void start(const BlockType& b, u32 entity, u32 p, u32 channel, Tick tick);

  /// Sends a packet on; in a huge network when it has come from memory.
  void depart(const Departure<Packet>& departure);
  void send(const Departure<Packet>& d);

  void wake_at(BlockHead<words>& head, u32 entity, Tick tick, Tick when);

  /// Whether somebody may go through `output` as soon as there is free space behind it.
  [[nodiscard]] bool awaited(const BlockType& b, u32 output) const;
  void wake_for_refill(const BlockType& b, u32 entity, Tick tick);
  [[nodiscard]] static PortIndex<words> index(u32 value) { return static_cast<PortIndex<words>>(value); }

  [[nodiscard]] u32 pick_queue(const BlockType& b, const HostPacket& packet, u64 bits) const;
  void build();
  void describe_shapes();
  void build_entity(u32 entity, u32 shape, u32 global, u32 address, RouterId router);

  /// Whether the header of the first packet of an input has left, or is consumed.
  [[nodiscard]] static bool first_leaves(const BlockType& b, u32 input);
  /// Checks one entity for check_conservation; `found`: packets and credits behind each output.
  void check_entity(u32 entity, const u32* found, Tick now) const;

  Policy policy_;
  Host& host_;
  Kernel* kernel_ = nullptr;
  std::vector<ShapeType> shapes_;
  BlockMemory memory_;
  ShapeType shape_;  ///< of all blocks, where they are alike
  /// Networks above this size do not stay in a core's own cache: loading ahead in several steps pays.
  static constexpr std::size_t cached_bytes = std::size_t{3} << 20;
  /// And above this one not in the cache that cores share.
  static constexpr std::size_t shared_cached_bytes = std::size_t{24} << 20;
  /// Blocks are aligned to 64 bytes: the low bits of an address are the index of its shape.
  static constexpr std::uintptr_t shape_bits = 63;
  static constexpr u32 most_shapes = 64;
  std::vector<std::uintptr_t>
      blocks_;                ///< address of the block (a multiple of 64) + index of its shape, [entity]; direct: empty
  std::vector<u16> port_of_;  ///< [channel]
  std::vector<u16> slot_of_;  ///< shape after shape: slot of an output
  Requests<words> requests_;
  Departures<Packet> departures_;  ///< used in huge networks
  bool immediate_consumption_ = false, large_ = false, huge_ = false, bubble_watch_ = false;
  bool slow_links_ = false;  ///< links have less than their rate at some time
  Tick faults_changed_at_ = never;
};

}  // namespace weft::models
