// A network of wormhole switches as entities of the kernel: a packet holds one output after the other while its cells
// follow it, and stretches over several switches where it is held up. Another machine than models::Network, with the
// same face to hosts and runs; docs/wormhole.md has the rules.
#pragma once

#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "engine/base/bits.hpp"
#include "engine/base/prefetch.hpp"
#include "engine/kernel.hpp"
#include "engine/random.hpp"
#include "models/core/packet.hpp"
#include "models/core/packet_pool.hpp"
#include "models/core/wiring.hpp"
#include "models/machine/worms/packet.hpp"
#include "models/machine/worms/port.hpp"
#include "models/machine/worms/settings.hpp"
#include "models/nic/endpoints.hpp"
#include "models/nic/nics.hpp"
#include "models/nic/switch_shell.hpp"
#include "models/routing/recovery/sweep_follower.hpp"
#include "models/routing/router_kind.hpp"
#include "models/routing/routes.hpp"

namespace weft::models::worms {

/// The simulated network of one process; `Host` as for cells::CellNetwork, entities and ports likewise: those of the
/// switch's links, then the switch's port to the node inside it, then the node's own.
/// Larger than others: worms hold inputs, outputs and wires at once, and what an event does to them is one loop.
template <class Host>
class WormNetwork : public endpoint::Endpoints, public endpoint::SwitchShell<WormNetwork<Host>> {
  friend endpoint::SwitchShell<WormNetwork>;

 public:
  using HostType = Host;
  using HostPacket = typename Host::Packet;
  using Packet = WormPacket<HostPacket>;
  static constexpr bool any_length = true;

  /// The first cell of a packet is in the buffer of an input, and others follow.
  struct Arrival {
    u32 entity;
    u32 port;
    Packet packet;
  };
  /// What the two ends of a link tell each other besides. It takes effect in the tick in which the cell or credit comes
  /// that is the first of a run, or is missing.
  enum class SignalKind : u16 {
    cells,     ///< cells of the packet come again
    pause,     ///< the cell that would come in this tick does not
    credits,   ///< so many credits come, if nothing is said
    withheld,  ///< the credit that would come in this tick does not
    stop,      ///< STOP
    go,        ///< GO
    cut        ///< the packet that is coming was cut in two behind, by the event that `cells` says
  };
  struct Signal {
    u32 entity;
    u16 port;
    SignalKind kind;
    u32 cells;  ///< of `credits`, `cut`
  };
  /// A node has the last cell of a packet.
  struct Taken {
    u32 entity;
    Packet packet;
  };
  /// Look at a port.
  struct Wake {
    u32 entity;
    u32 port;
  };
  using Events = endpoint::EventsWith<Host, Taken, Arrival, Signal, Wake>;
  using Kernel = engine::Kernel<WormNetwork>;
  static constexpr bool one_loop = false;

  WormNetwork(const Topology& topology, const RouterSettings& settings, Layout& layout, Host& host);

  void attach(Kernel& kernel) { kernel_ = &kernel; }
  [[nodiscard]] Kernel& kernel() { return *kernel_; }

  // Kernel interface, phase one: a port hears one word of its input and one of its output in a tick at most (cells or
  // pause; credits or withheld, stop or go), and those commute.

  void prefetch(u32 entity) const {
    engine::prefetch(&entities_[entity]);
    engine::prefetch(reinterpret_cast<const std::byte*>(&entities_[entity]) + 63);
  }
  template <class Event>
  void prefetch(const Event& event) const {
    prefetch(event.entity);
  }
  template <class Event>
  void prefetch_near(const Event& event) const {
    if constexpr (requires { event.port; }) prefetch_port(entities_[event.entity].first_port + event.port);
  }
  void prefetch_near(u32 entity, u32 step) const;

  void absorb(Tick tick, const Arrival& e);
  void absorb(Tick tick, const Signal& e);
  void absorb(Tick tick, const Taken& e) { deliver(e, tick); }
  void absorb(Tick tick, const Wake& e) {
    Port& port = ports_[entities_[e.entity].first_port + e.port];
    if (port.wake != tick) return;  // an earlier one came, and ordered what was needed
    port.wake = never;
    look_at(e.entity, e.port);
  }
  void absorb(Tick tick, const typename Host::Event& e) { host_.absorb(*this, tick, e); }

  // Phase two.
  void act(Tick tick, u32 entity);
  void finish() { check_tick(*this, kernel_->now()); }

  // For the host.

  /// Puts a packet of so many cells into the node's queue, and sets when it was generated. False if that is full.
  bool inject(u32 entity, const HostPacket& sent, Tick tick, u64 bits, u32 cells);
  bool inject(u32 entity, const HostPacket& sent, Tick tick, u64 bits) {
    return inject(entity, sent, tick, bits, settings_.packet_phits);
  }
  /// Between runs: see models::Network.
  void faults_changed(Tick now);

  // For reports, as those of models::Network, what is counted by node in cells; more in endpoint::SwitchShell.

  void sample_queues(QueueSizes& sizes) const;
  [[nodiscard]] std::vector<Blocked> blocked() const;
  void check_drained() const;
  /// Counts packets, cells and credits anew when tick `now` is done, of a network on one process. Throws Bug if some
  /// are lost, or a buffer holds more than it can.
  void check_conservation(Tick now) const;
  /// Cells in the buffer of an input when tick `now` is done.
  [[nodiscard]] u32 buffered(u32 entity, u32 input, Tick now) const;
  [[nodiscard]] std::size_t bytes() const;

 private:
  /// What is kept of an entity besides its ports. Plain bytes.
  struct Entity {
    endpoint::FreeSpace free_space;  ///< of the node's queue
    u32 global = 0;
    u32 first_port = 0;    ///< in ports_, wires_, fifos_
    u32 first_mask = 0;    ///< in masks_: ports to be looked at, then for each output the inputs that wait for it
    u32 draws = 0;         ///< numbers the random draws of scheduling
    u32 work = 0;          ///< packets put on links
    u32 waiting = 0;       ///< packets in the node's queue of which nothing has left
    u16 switch_ports = 0;  ///< 0: a node alone
    u16 first_input = 0;   ///< that gets its output first of those that do in a tick
    u8 has_node = 0;
    List node_queue = {};   ///< the packet that is leaving still first
    List small_queue = {};  ///< probes and answers, likewise; they go before those
  };

  [[nodiscard]] u32 ports_of(const Entity& s) const {
    if (open_paths_ != nullptr) [[unlikely]]
      return 2U * s.switch_ports + 1U;
    return s.switch_ports + (s.has_node != 0 ? 1U : 0U);
  }
  /// In networks with faults, behind the node's own port: where packets of an input go that are thrown away.
  [[nodiscard]] static u32 sink_of(const Entity& s, u32 input) { return s.switch_ports + 1U + input; }
  [[nodiscard]] static bool is_sink(const Entity& s, u32 port) { return port > s.switch_ports; }
  /// SignalTimes of a mask of the ports of an entity.
  [[nodiscard]] u32 words_of(const Entity& s) const { return (ports_of(s) + 63) / 64; }
  [[nodiscard]] u64* looks(const Entity& s) { return &masks_[s.first_mask]; }
  [[nodiscard]] const u64* looks(const Entity& s) const { return &masks_[s.first_mask]; }
  [[nodiscard]] u64* askers(const Entity& s, u32 output) {
    return &masks_[s.first_mask + std::size_t{output + 1} * words_of(s)];
  }
  /// Whether a port is a node's own.
  [[nodiscard]] static bool is_nodes(const Entity& s, u32 port) { return port == s.switch_ports; }
  /// From a cell's leaving a port to its being at the far end of the link.
  [[nodiscard]] Tick reach(const Entity& s, u32 port) const {
    return wires_[s.first_port + port].ticks + (is_nodes(s, port) ? 0 : settings_.switch_ticks);
  }
  void prefetch_port(u32 port) const {
    engine::prefetch(&ports_[port]);
    engine::prefetch(reinterpret_cast<const std::byte*>(&ports_[port]) + 64);
  }

  void look_at(u32 entity, u32 port) {
    engine::set_bit(looks(entities_[entity]), port);
    kernel_->touch(entity);
  }
  void wake_at(u32 entity, u32 port, Tick when) {
    Port& p = ports_[entities_[entity].first_port + port];
    if (p.wake <= when) return;
    p.wake = when;
    kernel_->schedule(when, Wake{entity, port});
  }
  [[nodiscard]] static u64 identity(const Packet& packet) { return packet.identity() + (u64{packet.cells} << 56); }
  void note(const Entity& s, u32 place, Tick tick, const Packet& packet) {
    MachineStatistics::note(s.global, place, tick, identity(packet));
  }
  [[nodiscard]] endpoint::AtNode at_node(u32 entity, const Packet& packet, Tick tick) const {
    const Entity& s = entities_[entity];
    return {entity, s.global, s.switch_ports, tick, identity(packet), packet.cells};
  }
  void deliver(const Taken& e, Tick tick);

  // worm_engine.hpp: the links out.

  /// The packet that holds a link at its source: an input, the node's queue (switch_ports) or that of small packets
  /// (one more).
  [[nodiscard]] Stored<Packet>& packet_on(const Entity& s, u32 output) {
    const u16 source = ports_[s.first_port + output].source;
    if (source < s.switch_ports) return pool_.first(fifos_[s.first_port + source]);
    return pool_.first(source == s.switch_ports ? s.node_queue : s.small_queue);
  }
  void move_on(u32 entity, u32 output, Tick tick);
  void start_run(u32 entity, u32 output, Tick tick);
  void pause(u32 entity, u32 output, u32 gone, Tick tick);
  void free_link(u32 entity, u32 output, Tick tick);
  void tell_node(u32 entity, u32 output, Tick tick);
  /// Cells that a run can have as far as is known, of which so many have left.
  [[nodiscard]] u32 most_of_run(const Entity& s, const Port& out, bool to_node, u32 gone) const;
  /// When something happens to a run that has so many cells behind it, if nothing else changes.
  [[nodiscard]] Tick end_of_run(const Entity& s, const Port& out, bool to_node, u32 gone) const;
  /// From when on flow control lets a cell go on an idle link, as far as is known; never: not before more is signals.
  [[nodiscard]] Tick let_go_at(const Port& out, bool to_node) const;
  /// From when on the next cell of a packet that pauses is in the buffer, likewise.
  [[nodiscard]] Tick cell_there_at(const Entity& s, const Port& out) const;

  // worm_nics.hpp: NICs that choose routes.

  /// Whether a packet is one of data, not a probe or an answer.
  [[nodiscard]] static bool is_data(const Packet& packet) { return packet.use == endpoint::PacketUse::data; }
  /// The first packet of data begins, or has left.
  void begin_data(u32 entity, const Entity& s);
  void data_left(u32 entity, u32 output, Tick tick);
  /// Asks the NICs, ask(probe), and sends the probe if they want one; notes when they have taken another route.
  template <class Ask>
  void probe_if(u32 entity, Tick tick, Ask&& ask);
  void send_probe(u32 entity, const endpoint::Nics::Probe& probe, Tick tick);
  /// Puts a probe or an answer into the node's queue of those.
  void send_small(u32 entity, const Packet& packet);
  /// What a probe or an answer does at its node.
  void take_small(u32 entity, const Packet& packet, Tick tick);

  // The switch's inputs, and who gets a link.

  /// Whether the first packet of an input gets its output.
  bool route(u32 entity, u32 input, Tick tick);
  bool take_output(u32 entity, u32 input, u32 output);
  bool throw_away(u32 entity, u32 input) { return take_output(entity, input, sink_of(entities_[entity], input)); }
  [[nodiscard]] u32 choose_output(const Entity& s, u32 input, const Routes::Choices& choices, Tick tick);
  void offer(u32 entity, u32 output, Tick tick);
  [[nodiscard]] u32 choose_input(Entity& s, u32 output, Tick tick);
  void put_on_link(u32 entity, u32 output, u32 source, Tick tick);
  void send_stop_go(u32 entity, u32 input, Tick tick);
  /// When an input has to say its next word, if cells come and go as they do now; never: it has not.
  [[nodiscard]] Tick next_word(const Entity& s, u32 input, u32 count, Tick tick) const;

  // worm_faults.hpp: parts that fail during the run.

  static constexpr u32 not_lost = LiveFaults::none;
  static constexpr u32 no_path = ~u32{0};  ///< in place of the event by which a packet was lost
  std::string follow_sweeps();
  void check_live_faults() const;
  [[nodiscard]] bool comes_from_inside(const Entity& s, u32 input) const {
    return topology_.direct() && input + 1U == s.switch_ports;
  }
  [[nodiscard]] NodeId node_of(const Entity& s) const {
    return NodeId(topology_.direct() ? s.global : s.global - topology_.routers());
  }
  [[nodiscard]] u32 loss_on_link(const Entity& s, u32 input, Tick at) const;
  /// By how many ticks a packet of so many cells that is given a link at a tick sets out later, as the link's rate has
  /// been reduced.
  [[nodiscard]] Tick slowdown(const Entity& s, u32 output, Tick at, u32 cells) const {
    if (!slow_links_) [[likely]]
      return 0;
    return live_->slowdown(RouterId(s.global), output, at, cell_(cells));
  }
  /// Whether the packet that holds a link has not set out.
  [[nodiscard]] static bool is_held_back(const Port& out) {
    return out.active != 0 && out.running == 0 && out.sent == 0;
  }
  [[nodiscard]] u32 loss_at_node(u32 entity, const Packet& packet, Tick at) const;
  [[nodiscard]] u32 failure_at(const Entity& s, u32 input) const;
  [[nodiscard]] u32 failure_to_node(const Entity& s, u32 output) const;
  static void lose(Packet& packet, u32 event) {
    if (!packet.state.is_lost()) packet.state.lose(event);
  }
  void look_again(u32 entity, Tick tick);
  void look_through_node(u32 entity, Tick tick);
  void withdraw(u32 entity, u32 input);
  void cut(u32 entity, u32 input, u32 event, Tick tick);
  void tell_of_cut(u32 entity, u32 input, Tick tick);
  void hear_of_cut(u32 entity, u32 input, u32 event);
  [[nodiscard]] bool is_gone(const Entity& s, Packet& packet) const;
  [[nodiscard]] bool may_wait() const {
    return live_ != nullptr && live_->cut_off() == CutOff::wait && live_->damaged();
  }
  [[nodiscard]] bool waits_cut_off(Packet& packet) const;
  [[nodiscard]] bool node_takes(const Entity& s, NodeId to, u32 output) const;
  [[nodiscard]] bool leads_on(Packet& packet) const;
  bool drop_if_lost(u32 entity, Packet& packet, Tick tick);
  void record_gone(u32 entity, const Packet& packet, Tick tick);
  void count_gone(u32 entity, const Packet& packet, u32 queue, Tick tick);

  // worm_setup.hpp, worm_checks.hpp.

  void add_entity(u32 entity);
  template <class F>
  void for_each_stored(const Entity& s, F&& f) const;
  template <class Self, class F>
  static void visit_state(Self& self, u32 entity, F&& f);

  // What endpoint::SwitchShell asks for.

  /// Calls f(stored packet) for all packets in the node's queue but one of which cells have left.
  template <class F>
  void for_each_at_node(u32 entity, F&& f) const;
  [[nodiscard]] u32 queues_of(const Entity& s) const { return s.switch_ports + (s.has_node != 0 ? 1U : 0U); }
  void find_again(u32 entity);
  void wake_node(u32 entity, Tick when) { wake_at(entity, entities_[entity].switch_ports, when); }
  class LinkCheck;

  WormSettings worm_;
  CellTime cell_;
  bool stop_go_;
  Routes routes_;
  std::unique_ptr<endpoint::Nics> nics_;           ///< by entity; null: NICs do not choose
  std::unique_ptr<arbiter::Scheduler> scheduler_;  ///< of links; null: it is built in
  std::vector<arbiter::Request> contested_;        ///< scratch of choose_input
  std::vector<u32> granted_;
  Host& host_;
  Kernel* kernel_ = nullptr;
  LargeVector<Entity> entities_;
  LargeVector<Wire> wires_;  ///< as ports_
  LargeVector<Port> ports_;  ///< of entities in turn
  LargeVector<List> fifos_;  ///< as ports_
  LargeVector<u64> masks_;
  PacketPool<Packet> pool_;
  const LiveFaults* live_ = nullptr;       ///< what fails during the run; null: nothing does
  std::unique_ptr<OpenPaths> open_paths_;  ///< of networks with faults
  std::unique_ptr<OpenPaths> nic_paths_;   ///< likewise, as NICs that choose paths see them
  SweepFollower follower_;
  bool slow_links_ = false;  ///< links have less than their rate at some time
  Tick faults_changed_at_ = never;
  /// What is kept of the first packet of an input. Plain bytes.
  struct Before {
    RouteState state = {};    ///< its route before it got its output
    u16 output = Port::none;  ///< that it had before a part failed or came back
    u16 unused = 0;
  };
  LargeVector<Before> before_;  ///< as ports_, in networks with faults
  // Ports of the entity that acts, in this tick, whose first packets, links out and buffers are to be looked at.
  std::vector<u64> heads_, links_, buffers_;
};

}  // namespace weft::models::worms
