// A network of wormhole switches with several virtual channels as entities of the kernel: a packet holds one channel
// after the other, and cells of different packets share links and crossbars. Beside WormNetwork, whose links have one
// channel and whose cells go in runs; docs/wormhole.md has the rules.
#pragma once

#include <algorithm>
#include <span>
#include <type_traits>
#include <vector>

#include "engine/base/bits.hpp"
#include "engine/base/prefetch.hpp"
#include "engine/kernel.hpp"
#include "models/core/candidate_sets.hpp"
#include "models/core/packet_pool.hpp"
#include "models/core/wiring.hpp"
#include "models/machine/worms/vc_allocation.hpp"
#include "models/machine/worms/vc_settings.hpp"
#include "models/machine/worms/vc_state.hpp"
#include "models/nic/endpoints.hpp"
#include "models/nic/switch_shell.hpp"
#include "models/routing/routes.hpp"

namespace weft::models::worms {

/// The simulated network of one process; `Host` and entities as for WormNetwork. A lane is a channel of an input of a
/// switch; lanes and the channels of outputs are numbered port * channels + channel within their entity.
/// Larger than others: the two allocations work on all ports of a switch within an event, and are compiled into one
/// loop.
template <class Host>
class VcNetwork : public endpoint::Endpoints, public endpoint::SwitchShell<VcNetwork<Host>> {
  friend endpoint::SwitchShell<VcNetwork>;

 public:
  using HostType = Host;
  using HostPacket = typename Host::Packet;
  using Packet = CellPacket<HostPacket>;
  static constexpr bool any_length = true;

  /// The header of a packet is in the buffer of an input.
  struct Arrival {
    u32 entity;
    u32 port;
    Packet packet;
  };
  /// Another cell of the last packet of a channel is.
  struct Cell {
    u32 entity;
    u16 port, vc;
  };
  /// A cell has left the buffer behind a channel.
  struct Credit {
    u32 entity;
    u16 port, vc;
  };
  /// A node has the last cell of a packet.
  struct Taken {
    u32 entity;
    Packet packet;
  };
  /// Look at the entity.
  struct Wake {
    u32 entity;
  };
  using Events = endpoint::EventsWith<Host, Taken, Arrival, Cell, Credit, Wake>;
  using Kernel = engine::Kernel<VcNetwork>;
  static constexpr bool one_loop = false;

  VcNetwork(const Topology& topology, const RouterSettings& settings, Layout& layout, Host& host);

  void attach(Kernel& kernel) { kernel_ = &kernel; }
  [[nodiscard]] Kernel& kernel() { return *kernel_; }

  // Kernel interface, phase one: a lane and a channel have one event in a tick at most, and different ones commute.

  void prefetch(u32 entity) const { engine::prefetch(&entities_[entity]); }
  template <class Event>
  void prefetch(const Event& event) const {
    prefetch(event.entity);
  }

  void absorb(Tick tick, const Arrival& e);
  void absorb(Tick tick, const Cell& e);
  void absorb(Tick tick, const Credit& e);
  void absorb(Tick tick, const Taken& e) { deliver(e, tick); }
  void absorb(Tick tick, const Wake& e) {
    Entity& s = entities_[e.entity];
    if (s.wake != tick) return;  // an earlier one came, and ordered what was needed
    s.wake = never;
    kernel_->touch(e.entity);
  }
  void absorb(Tick tick, const typename Host::Event& e) { host_.absorb(*this, tick, e); }

  // Phase two.
  void act(Tick tick, u32 entity);
  void finish() { check_tick(*this, kernel_->now()); }

  // For the host: as WormNetwork.

  bool inject(u32 entity, const HostPacket& sent, Tick tick, u64 bits, u32 cells);
  bool inject(u32 entity, const HostPacket& sent, Tick tick, u64 bits) {
    return inject(entity, sent, tick, bits, settings_.packet_phits);
  }
  /// Nothing fails in these networks (vc_settings.hpp).
  void faults_changed(Tick /*now*/) {}

  // For reports, as those of models::Network, what is counted by node in cells; more in endpoint::SwitchShell.

  void sample_queues(QueueSizes& sizes) const;
  [[nodiscard]] std::vector<Blocked> blocked() const;
  void check_drained() const;
  /// Counts packets, cells and credits anew when tick `now` is done, of a network on one process. Throws Bug if some
  /// are lost, or a buffer holds more than it can.
  void check_conservation(Tick now) const;
  /// Cells in the buffers of an input, of all channels.
  [[nodiscard]] u32 buffered(u32 entity, u32 input, Tick now) const;
  [[nodiscard]] std::size_t bytes() const;

 private:
  static constexpr u16 no_channel = 0xffff;

  /// What is kept of an entity besides its ports. Plain bytes.
  struct Entity {
    Tick wake = never;               ///< the earliest Wake that is scheduled
    endpoint::FreeSpace free_space;  ///< of the node's queue
    Tick node_busy_until = 0;        ///< the node's link
    u32 global = 0;
    u32 first_port = 0;        ///< in wires_, crossings_; times channels or feeds in lanes_, channels_, feeds_
    u32 first_mask = 0;        ///< in masks_
    u32 draws = 0;             ///< numbers the random draws of allocations
    u32 work = 0;              ///< packets put on links
    u32 waiting = 0;           ///< packets in the node's queue of which nothing has left
    u16 switch_ports = 0;      ///< 0: a node alone
    u16 node_vc = no_channel;  ///< channel by which the first packet of the node is leaving
    u16 node_sent = 0;         ///< cells of it that have left
    u16 node_turn = 0;         ///< the channel that the node looks at first
    u8 has_node = 0;
    List node_queue = {};  ///< the packet that is leaving still first
  };

  [[nodiscard]] u32 ports_of(const Entity& s) const { return s.switch_ports + (s.has_node != 0 ? 1U : 0U); }
  [[nodiscard]] u32 lanes_of(const Entity& s) const { return s.switch_ports * vcs_; }
  [[nodiscard]] Lane& lane_at(const Entity& s, u32 lane) { return lanes_[std::size_t{s.first_port} * vcs_ + lane]; }
  [[nodiscard]] const Lane& lane_at(const Entity& s, u32 lane) const {
    return lanes_[std::size_t{s.first_port} * vcs_ + lane];
  }
  [[nodiscard]] Channel& channel_at(const Entity& s, u32 channel) {
    return channels_[std::size_t{s.first_port} * vcs_ + channel];
  }
  [[nodiscard]] const Channel& channel_at(const Entity& s, u32 channel) const {
    return channels_[std::size_t{s.first_port} * vcs_ + channel];
  }
  [[nodiscard]] Feed& feed_at(const Entity& s, u32 feed) {
    return feeds_[std::size_t{s.first_port} * vc_.input_speedup + feed];
  }
  [[nodiscard]] const Wire& wire_at(const Entity& s, u32 port) const { return wires_[s.first_port + port]; }
  /// Words of masks of lanes: whose first packet is to be routed; asks for a channel; holds one, and has a cell here.
  [[nodiscard]] u32 words_of(const Entity& s) const { return (lanes_of(s) + 63) / 64; }
  [[nodiscard]] u64* to_route(const Entity& s) { return &masks_[s.first_mask]; }
  [[nodiscard]] u64* asking(const Entity& s) { return &masks_[s.first_mask + words_of(s)]; }
  [[nodiscard]] u64* going(const Entity& s) { return &masks_[s.first_mask + 2 * words_of(s)]; }
  [[nodiscard]] const u64* asking(const Entity& s) const { return &masks_[s.first_mask + words_of(s)]; }
  [[nodiscard]] const u64* going(const Entity& s) const { return &masks_[s.first_mask + 2 * words_of(s)]; }

  void wake_at(u32 entity, Tick when) {
    Entity& s = entities_[entity];
    if (s.wake <= when) return;
    s.wake = when;
    kernel_->schedule(when, Wake{entity});
  }
  [[nodiscard]] static u64 identity(const Packet& packet) { return packet.identity() + (u64{packet.cells} << 56); }
  void note(const Entity& s, u32 place, Tick tick, const Packet& packet) {
    MachineStatistics::note(s.global, place, tick, identity(packet));
  }
  [[nodiscard]] endpoint::AtNode at_node(u32 entity, const Packet& packet, Tick tick) const {
    const Entity& s = entities_[entity];
    return {entity, s.global, lanes_of(s), tick, identity(packet), packet.cells};
  }
  [[nodiscard]] Stored<Packet>& first_of(const Lane& lane) { return pool_.first(lane.fifo); }

  // vc_node.hpp.

  void send_from_node(u32 entity, Tick tick);
  /// Gives the first packet of a node a channel; false if none is free.
  bool begin_at_node(Entity& s, u32 entity, Tick tick);
  void deliver(const Taken& e, Tick tick);

  // vc_engine.hpp.

  void route_due(u32 entity, Tick tick);
  void route(u32 entity, u32 lane, Tick tick);
  /// Gives a packet its candidates.
  void find_candidates(const Entity& s, u32 lane, Stored<Packet>& stored);
  class Outputs;
  void allocate_channels(u32 entity, Tick tick);
  void ask_for_channels(Entity& s, u32 lane, Tick tick);
  static constexpr u32 any_port = ~u32{0};
  /// Calls f(candidate) for all of a set, ascending, its escape among them.
  template <class F>
  static void for_candidates(const CandidateSet& set, F&& f) {
    bool escape = set.escape != Candidates::none;
    for (const u32 candidate : set.outputs) {
      if (escape && set.escape < candidate) {
        f(set.escape);
        escape = false;
      }
      f(candidate);
    }
    if (escape) f(set.escape);
  }
  [[nodiscard]] u32 choose_output(const Entity& s, u32 lane, const CandidateSet& set, Tick tick) const;
  void take_channel(Entity& s, u32 lane, u32 channel, Tick tick);
  void allocate_crossbar(u32 entity, Tick tick);
  /// Whether the lane has a cell that could cross.
  bool ask_for_crossbar(Entity& s, u32 lane, Tick tick);
  /// Whether the output may take a cell; if not, when it may next is among what `next_` is the least of.
  [[nodiscard]] bool takes(const Entity& s, const Lane& lane, Tick tick);
  void cross(u32 entity, u32 lane, Tick tick);
  /// A packet's header goes on a link.
  void put_header(u32 entity, u32 channel, Packet& packet, Tick begin, Tick tick);
  /// The tail has left by a channel.
  void release(Entity& s, u32 channel, Tick taken);
  /// The packet behind the one that has left is the first now.
  void next_packet(Entity& s, u32 lane, Tick tick);
  void look_at_next(Tick when) { next_ = std::min(next_, when); }

  // vc_setup.hpp.

  void add_entity(u32 entity);
  template <class F>
  void for_each_stored(const Entity& s, F&& f) const;
  template <class Self, class F>
  static void visit_state(Self& self, u32 entity, F&& f);

  // What endpoint::SwitchShell asks for.

  template <class F>
  void for_each_at_node(u32 entity, F&& f) const;
  [[nodiscard]] static constexpr bool is_data(const Packet& /*packet*/) { return true; }
  [[nodiscard]] u32 queues_of(const Entity& s) const { return ports_of(s) * vcs_; }
  void find_again(u32 entity);
  void wake_node(u32 entity, Tick when) { wake_at(entity, when); }

  VcSettings vc_;
  u32 vcs_;  ///< of a link
  Routes routes_;
  CandidateSets candidate_sets_;
  Host& host_;
  Kernel* kernel_ = nullptr;
  LargeVector<Entity> entities_;
  LargeVector<Wire> wires_;          ///< of entities in turn
  LargeVector<Crossing> crossings_;  ///< as wires_
  LargeVector<Feed> feeds_;          ///< [as wires_, feed]
  LargeVector<Lane> lanes_;          ///< [as wires_, channel]
  LargeVector<Channel> channels_;    ///< [as wires_, channel]
  LargeVector<u64> masks_;
  PacketPool<Packet> pool_;
  // Scratch of the entity that acts.
  Allocation channel_asks_, crossbar_asks_;
  std::vector<u32> own_outputs_;
  Tick next_ = never;      ///< when it has to be looked at again, if nothing comes
  bool released_ = false;  ///< a channel has become free
};

}  // namespace weft::models::worms
