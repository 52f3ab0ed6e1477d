// A network of switches of cells as entities of the kernel: packets of any length, buffers and credits in cells,
// virtual output queues or FIFOs, a scheduler for each crossbar. Another machine than models::Network, with the same
// face to hosts and runs; docs/switch.md has the rules.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "engine/base/bits.hpp"
#include "engine/base/prefetch.hpp"
#include "engine/kernel.hpp"
#include "engine/random.hpp"
#include "models/arbiter/scheduling.hpp"
#include "models/arbiter/vl_arbitration.hpp"
#include "models/core/candidate_sets.hpp"
#include "models/core/packet_pool.hpp"
#include "models/machine/cells/cell_entity.hpp"
#include "models/machine/cells/cell_events.hpp"
#include "models/machine/cells/choices.hpp"
#include "models/machine/cells/crossbar.hpp"
#include "models/machine/cells/port.hpp"
#include "models/machine/cells/port_table.hpp"
#include "models/machine/cells/reduction_unit.hpp"
#include "models/machine/cells/remote_occupancy.hpp"
#include "models/machine/cells/settings.hpp"
#include "models/nic/congestion.hpp"
#include "models/nic/switch_shell.hpp"
#include "models/routing/open_paths.hpp"
#include "models/routing/recovery/sweep_follower.hpp"
#include "models/routing/routes.hpp"
#include "models/routing/traffic_class.hpp"

namespace weft::models::cells {

template <class Net>
struct ReductionEngine;

/// The simulated network of one process; `Host` as for models::Network, but that it says how many cells a packet has.
/// An entity is a switch, a node, or (where nodes sit inside routers) both: its ports are those of the switch's links,
/// then the switch's port to the node inside it, then the node's own.
/// Larger than others: its parts (ports, crossbar, credits, nodes, wires: a file of members each) work on one table of
/// ports within an event, and are compiled into one loop.
template <class Host>
class CellNetwork : public endpoint::Endpoints, public endpoint::SwitchShell<CellNetwork<Host>> {
  friend endpoint::SwitchShell<CellNetwork>;
  friend ReductionEngine<CellNetwork>;

 public:
  using HostType = Host;
  using HostPacket = typename Host::Packet;
  using Packet = CellPacket<HostPacket>;
  static constexpr bool any_length = true;
  /// Whether the host may give switches something to combine.
  static constexpr bool reduces = requires(const Host& host) { host.reductions(); };

  using Arrival = CellArrival<Packet>;
  using Taken = CellTaken<Packet>;
  using Credit = CellCredit;
  using Answer = CellAnswer;
  using Wake = CellWake;
  using Events = endpoint::EventsWith<Host, Taken, Arrival, Credit, Wake, OccupancyUpdate, Answer>;
  using Kernel = engine::Kernel<CellNetwork>;
  static constexpr bool one_loop = false, large_entities = true;

  CellNetwork(const Topology& topology, const RouterSettings& settings, Layout& layout, Host& host);

  void attach(Kernel& kernel) { kernel_ = &kernel; }
  [[nodiscard]] Kernel& kernel() { return *kernel_; }

  // Kernel interface, phase one: a port has one event of a type in a tick at most, and different ones commute.

  void prefetch(u32 entity) const {
    engine::prefetch(&entities_[entity]);
    engine::prefetch(reinterpret_cast<const std::byte*>(&entities_[entity]) + 64);
  }
  template <class Event>
  void prefetch(const Event& event) const {
    prefetch(event.entity);
  }
  void prefetch_near(u32 entity, u32 step) const;
  template <class Event>
  requires requires(const Event& event) { event.port; }
  void prefetch_near(const Event& event) const;

  void absorb(Tick tick, const Arrival& e) { arrive(tick, e); }
  void absorb(Tick tick, const Credit& e);
  void absorb(Tick tick, const Taken& e) { deliver(e, tick); }
  void absorb(Tick tick, const Wake& e);
  void absorb(Tick /*tick*/, const OccupancyUpdate& e) { remote_occupancy_.absorb(e); }
  void absorb(Tick tick, const Answer& e);
  void absorb(Tick tick, const typename Host::Event& e) { host_.absorb(*this, tick, e); }

  // Phase two.
  void act(Tick tick, u32 entity);
  void finish() { check_tick(*this, kernel_->now()); }

  /// Between runs: parts have failed or come back, or routers know of it, at tick `now`. Packets that wait are routed
  /// anew then.
  void faults_changed(Tick now);

  // For the host.

  /// Puts a packet of so many cells into the node's queue, and sets when it was generated. False if that is full.
  bool inject(u32 entity, const HostPacket& sent, Tick tick, u64 bits, u32 cells);
  bool inject(u32 entity, const HostPacket& sent, Tick tick, u64 bits) {
    return inject(entity, sent, tick, bits, settings_.packet_phits);
  }
  // For reports, as those of models::Network, what is counted by node in cells; more in endpoint::SwitchShell.

  void sample_queues(QueueSizes& sizes) const;
  [[nodiscard]] InFlight in_flight(Tick now) const;
  [[nodiscard]] std::vector<Blocked> blocked() const;
  void check_drained() const;
  /// Counts packets, cells and credits anew when tick `now` is done, of a network on one process. Throws Bug if some
  /// are lost.
  void check_conservation(Tick now) const;
  [[nodiscard]] std::size_t bytes() const;

 private:
  /// Credits of links to nodes, which take what comes.
  static constexpr i32 unlimited_credits = 1 << 30;
  /// In place of the event by which a packet was lost.
  static constexpr u32 not_lost = LiveFaults::none;
  /// In place of the output of a packet that waits for a repair.
  static constexpr u16 no_output = 0xffff;
  /// In place of a traffic class.
  static constexpr u32 any_class = ~u32{0};

  using Entity = CellEntity;

  [[nodiscard]] u32 ports_of(const Entity& s) const { return s.switch_ports + (s.has_node != 0 ? 1U : 0U); }
  /// Packets of a traffic class, or with VL arbitration of a lane, that wait at a node.
  [[nodiscard]] List& node_queue(u32 entity, u32 number) {
    return number == 0 ? entities_[entity].node_queue : other_node_queues_[other_node_queue(entity, number)];
  }
  [[nodiscard]] const List& node_queue(u32 entity, u32 number) const {
    return number == 0 ? entities_[entity].node_queue : other_node_queues_[other_node_queue(entity, number)];
  }
  [[nodiscard]] std::size_t other_node_queue(u32 entity, u32 number) const {
    return std::size_t{entity} * (node_queues_ - 1) + number - 1;
  }
  [[nodiscard]] Port& port_at(const Entity& s, u32 port) { return ports_.port(s.first_port + port); }
  [[nodiscard]] const Port& port_at(const Entity& s, u32 port) const { return ports_.port(s.first_port + port); }
  [[nodiscard]] const Wire& wire_at(const Entity& s, u32 port) const { return ports_.wire(s.first_port + port); }
  /// Numbers queues of an input: of virtual output queues by output, then by channel there, behind them those of
  /// packets with several candidates; FIFOs by the channel that packets came by.
  [[nodiscard]] auto numbering() const {
    return [this](const Stored<Packet>& stored) -> u64 {
      if (switch_.queues == Queues::fifo) return stored.packet.vc;
      if (stored.has_choice()) return candidate_sets_[stored.candidates].order | u64{1} << 63;
      return stored.output * channels_ + stored.vc;
    };
  }
  /// What round robin over the queues of an input for an output goes by.
  [[nodiscard]] u32 lane_of(const Stored<Packet>& first) const;
  /// Whether a queue of this number holds packets.
  [[nodiscard]] bool has_queue(const Entity& s, u32 input, u64 number) const;
  /// Packets that have come by a channel and are not routed yet, where they wait for that.
  [[nodiscard]] List& unrouted(const Entity& s, u32 input, u32 vc) { return ports_.unrouted(s.first_port + input, vc); }
  [[nodiscard]] const List& unrouted(const Entity& s, u32 input, u32 vc) const {
    return ports_.unrouted(s.first_port + input, vc);
  }
  /// Words of the masks of an entity: channels of inputs with packets that are not routed yet; inputs with packets that
  /// are; inputs from nodes; inputs with packets that wait for credits which have not set out yet.
  [[nodiscard]] u32 channel_words(const Entity& s) const { return (s.switch_ports * channels_ + 63) / 64; }
  [[nodiscard]] u32 input_words(const Entity& s) const { return (s.switch_ports + 63U) / 64; }
  [[nodiscard]] u64* newcomers(const Entity& s) { return &masks_[s.first_mask]; }
  [[nodiscard]] u64* inputs(const Entity& s) { return &masks_[s.first_mask + channel_words(s)]; }
  [[nodiscard]] u64* inputs_from_nodes(const Entity& s) {
    return &masks_[s.first_mask + channel_words(s) + input_words(s)];
  }
  [[nodiscard]] u64* inputs_in_wait(const Entity& s) {
    return &masks_[s.first_mask + channel_words(s) + 2 * input_words(s)];
  }
  /// Cells of a far buffer that each channel has alone, and those of a shared one that are no channel's.
  [[nodiscard]] u32 own_cells() const { return switch_.shared ? switch_.reserved_cells : switch_.buffer_cells; }
  [[nodiscard]] u32 shared_cells() const { return switch_.buffer_cells - channels_ * switch_.reserved_cells; }
  /// Cells that a channel has alone and that are free, without those of credits that come one by one. Less than none:
  /// so many more are in the shared part of the buffer.
  [[nodiscard]] i32& credits(const Entity& s, u32 port, u32 vc) { return ports_.credits(s.first_port + port, vc); }
  [[nodiscard]] const i32& credits(const Entity& s, u32 port, u32 vc) const {
    return ports_.credits(s.first_port + port, vc);
  }
  void add_credits(const Entity& s, u32 port, u32 vc, i32 by);
  /// Cells that the far buffer of a channel has free space for, as far as is known here.
  [[nodiscard]] i64 free_space(const Entity& s, u32 port, u32 vc, Tick now);
  /// Cells that a channel has space for in a shared far buffer, when `streamed` credits of those that come one by one
  /// are there.
  [[nodiscard]] i64 shared_space(const Entity& s, u32 port, u32 vc, u32 streamed);
  /// How many of the first `cells` credits that come one by one are for cells in the shared part of a buffer.
  [[nodiscard]] u32 shared_part(const Entity& s, u32 port, u32 cells);
  /// From when on that is so many; never: not before more are sent, for which the port is watched then.
  [[nodiscard]] Tick free_space_at(const Entity& s, u32 port, u32 vc, u32 cells, Tick now);

  /// The outputs of a switch as the routes of a packet see them whose class has the channels from `base` on.
  class Outputs;
  /// Cells of the buffer behind a channel that are taken, as far as is known here.
  [[nodiscard]] u32 cells_taken(const Entity& s, u32 port, u32 vc, Tick now);

  void arrive(Tick tick, const Arrival& e);
  void deliver(const Taken& e, Tick tick);
  [[nodiscard]] static u64 identity(const Packet& packet) { return packet.identity() + (u64{packet.cells} << 56); }
  void note(const Entity& s, u32 place, Tick tick, const Packet& packet) {
    MachineStatistics::note(s.global, place, tick, identity(packet));
  }
  [[nodiscard]] endpoint::AtNode at_node(u32 entity, const Packet& packet, u32 vc, Tick tick) const {
    const Entity& s = entities_[entity];
    return {entity, s.global, s.switch_ports * channels_ + vc, tick, identity(packet), packet.cells};
  }
  [[nodiscard]] endpoint::AtNode at_node(u32 entity, const Packet& packet, Tick tick) const {
    return at_node(entity, packet, packet.vc, tick);
  }

  /// The routing of a packet's class, and the first channel of that.
  [[nodiscard]] Routes& routes(const Packet& packet) { return *routes_[packet.traffic_class]; }
  [[nodiscard]] const Routes& routes(const Packet& packet) const { return *routes_[packet.traffic_class]; }
  [[nodiscard]] u32 first_channel(const Packet& packet) const { return packet.traffic_class * class_channels_; }
  /// An output as a routing numbers it (port * class_channels_ + channel) with the number that it has among all, if
  /// the routing's channels begin at `base`.
  [[nodiscard]] u32 among_all(u32 candidate, u32 base) const;

  /// What is counted of its class, or of its service level, which its routing keeps.
  [[nodiscard]] ClassCounts& counts_of_class(const Packet& packet);

  // answers.hpp.

  void answer(u32 entity, const Packet& packet, Tick tick);
  void pass_on(u32 entity, u32 port, Answer answer, Tick when);

  // node_engine.hpp.

  /// The random draws of a packet's route.
  [[nodiscard]] u64 draws_of(const HostPacket& sent, u64 bits) const;
  /// The traffic class of a new packet.
  [[nodiscard]] u32 class_of(const HostPacket& sent, u64 bits) const;
  /// Begins the route of a new packet.
  void begin_route(Packet& packet, u64 bits) const;
  void send_from_node(u32 entity, Tick tick);
  [[nodiscard]] MaySend may_send(u32 entity, u32 queue, Tick tick) const;
  /// The packet that it follows, or List::none.
  [[nodiscard]] u32 first_to_send(u32 entity, u32 queue, Tick tick) const;
  /// The packet of a node's queue that follows `before` goes by a channel.
  void send(u32 entity, u32 queue, u32 before, u32 vc, Tick tick);
  /// False if the first packet of a class that may go has to wait for credits.
  bool send_first(u32 entity, u32 of_class, Tick tick);

  // cell_engine.hpp, cell_candidates.hpp, crossbar_engine.hpp.

  void route_due(u32 entity, Tick tick);
  void notify_neighbours(u32 entity, Tick tick);
  /// Whether something goes by what waits in the buffers of this network, or by who is routed first.
  [[nodiscard]] bool keeps_arrivals() const;
  void look_again(u32 entity);
  /// Routes a packet at an input, and puts it into its queue there. `again`: not for the first time.
  /// False: it has none, and is gone.
  bool route(u32 entity, u32 port, u32 at, Tick tick, bool again = false);
  /// Finds its output or candidates; false if there are none.
  bool find_route(u32 entity, u32 port, Stored<Packet>& stored, Tick tick, bool again);
  /// A packet waits for its outputs from now on, or no more.
  void count_waiting(u32 entity, const Stored<Packet>& stored, bool waits);
  [[nodiscard]] QueuePlace place_of(const Entity& s, u32 port, const Packet& packet) const;
  /// Gives a packet its candidates, of several that it has at an input.
  void find_candidates(const Entity& s, u32 port, Stored<Packet>& stored);
  [[nodiscard]] u32 set_number(const Routes::Choices& choices, u32 base);
  /// Calls f(vc) for the channels of the node's own link that its packet may take.
  template <class F>
  void for_node_channels(const Packet& packet, F&& f) const;
  void offer(MostSpace& best, const Entity& s, u32 port, u32 vc, Tick now);
  void match(u32 entity, Tick tick);
  /// Matches for the packets of a class, or any_class.
  void match(u32 entity, Tick tick, u32 of_class);
  /// Calls f(output, cells) for the outputs that a packet waits for, with what it counts as there.
  template <class F>
  void for_outputs_waited_for(const Stored<Packet>& stored, F&& f) const;
  /// Calls see(candidate), which says whether there are credits for it, for the candidates of a packet with several;
  /// for the escape only if there are none for any other.
  template <class See>
  void for_candidates(const Stored<Packet>& first, See&& see) const;
  /// Calls f(candidate) for those that a packet with several could take now.
  template <class F>
  void for_open(const Entity& s, u32 input, const Stored<Packet>& first, Tick tick, F&& f);
  using Request = CrossbarRequest;
  struct Pointers;
  /// Adds what an input asks for now, for packets of a class, or any_class. Returns when others may leave if nothing
  /// else changes; 0: unknown.
  Tick list_requests(const Entity& s, u32 input, Tick tick, u32 of_class);
  template <class F>
  void for_due_inputs(const Entity& s, Tick tick, Tick& next, F&& f) const;
  void grant_undisputed(Entity& s);
  void grant_contested(Entity& s, std::size_t first);
  void grant_by_scheduler(Entity& s, Tick tick);
  /// Cells of the packets of a queue, from its first on.
  [[nodiscard]] u32 queued_cells(u32 first) const;
  void grant(Entity& s, u32 input, const Request& request, bool islip);
  void grant_by_matching(Entity& s, Tick tick);
  void grant_by_age(Entity& s, Tick tick);
  /// Leaves out the requests of nodes for outputs that others ask for, by chance (router.ipr_fraction).
  void restrict_injection(Entity& s);
  [[nodiscard]] u32 pick_packet(const Entity& s, const Asking& asking, u32 output);
  /// The output and VC that a packet of an input takes of its requests `begin` to `end` for which may_take(output, vc)
  /// holds: that with most credits, of several the next of the input's turn. None: its packet is List::none.
  template <class MayTake>
  Request take_candidate(const Entity& s, u32 input, u32 begin, u32 end, Tick tick, MayTake&& may_take);
  /// The packet of an input that has accepted an output, and the VC and output that it takes of those granted.
  Request choose_vc(const Entity& s, const Asking& asking, u32 output, const u64* grants, Tick tick);
  /// The next turn at an output is of the queues behind this one.
  void move_behind(Port& output, u32 lane) { output.turn = static_cast<u16>(lane + 1 < lanes_ ? lane + 1 : 0); }
  /// The first packet of a queue goes to an output and channel: it waits no more.
  void unqueue(u32 entity, u32 input, const Request& granted);
  /// Packet `at` of the pool, unqueued, goes from an input to its output.
  void transfer(u32 entity, u32 input, u32 at, Tick tick);
  /// Ticks by which a packet is ready for an output later than it could be routed at the earliest.
  [[nodiscard]] Tick gap(const Entity& s, u32 input, u32 output, u32 cells) const;
  /// When a packet of an idle input may cross to an output, credits apart, if nothing else changes; `ready`: when it
  /// may ask for that.
  [[nodiscard]] Tick crossing_at(const Entity& s, u32 output, u32 cells, Tick ready) const;
  /// When the first packet of an idle input may cross to one of its candidates, credits apart, if nothing else changes.
  [[nodiscard]] Tick candidate_at(const Entity& s, u32 input, u32 output, const Stored<Packet>& first) const;
  /// When the first packet of a queue may leave if nothing else changes.
  [[nodiscard]] Tick earliest(const Entity& s, u32 input, const Stored<Packet>& first, Tick now);
  [[nodiscard]] Tick earliest_of_candidates(const Entity& s, u32 input, const Stored<Packet>& first, Tick now);
  [[nodiscard]] Tick output_free_at(const Entity& s, u32 output, u32 cells) const;
  /// When anything of an input may leave, at the earliest, if no credits come that are awaited.
  [[nodiscard]] Tick look(const Entity& s, u32 input, Tick tick);
  /// Hands a packet to the link out of a port, which begins with its first cell at `begin`.
  /// Its header sets out later by `late`, and the rest follows as on any link.
  void put_on_link(u32 entity, u32 port, const Packet& packet, OnLink on, Tick begin, Tick late = 0);
  void order_wake(u32 entity, Tick tick);
  void wake_at(u32 entity, Tick when);

  // cell_faults.hpp.

  std::string follow_sweeps();
  [[nodiscard]] u32 loss_on_link(const Entity& s, u32 port, Tick at) const;
  /// By how many ticks a packet of so many cells holds the link of a port longer, as its rate has been reduced, whose
  /// header begins to cross to that link at a tick.
  [[nodiscard]] Tick slowdown(const Entity& s, u32 port, Tick at, u32 cells) const {
    if (!slow_links_) [[likely]]
      return 0;
    return live_->slowdown(RouterId(s.global), port, at, Tick{cells} * wire_at(s, port).cell_ticks);
  }
  [[nodiscard]] u32 loss_at_node(const Entity& s, u32 cells, Tick at) const;
  [[nodiscard]] bool loses_answer(const Entity& s, u32 port, Tick at) const {
    return (port == s.switch_ports ? loss_at_node(s, 1, at) : loss_on_link(s, port, at)) != not_lost;
  }
  void record_gone(u32 entity, const Packet& packet, Tick tick, u32 lost);
  void count_gone(u32 entity, const Packet& packet, u32 queue, Tick tick, u32 lost);
  void discard(u32 entity, u32 port, const Packet& packet, Tick tick, u32 lost);
  void route_again(u32 entity, Tick tick);
  void look_through_node(u32 entity, Tick tick);
  [[nodiscard]] bool may_wait() const;
  [[nodiscard]] bool leads_on(const Packet& packet) const;
  /// Whether a packet at its source has to wait there until a part is repaired.
  [[nodiscard]] bool waits_for_repair(const Packet& packet) const { return may_wait() && !leads_on(packet); }
  bool drop_if_lost(u32 entity, const HostPacket& sent, Tick tick, u64 bits, u32 cells);
  void check_live_faults() const;
  /// What leaves out outputs behind which no path is left that is known to work; null where nothing fails during the
  /// run.
  [[nodiscard]] const OpenPaths* paths_of(u32 traffic_class) const {
    return live_ == nullptr ? nullptr : open_paths_[traffic_class].get();
  }

  // reduction_engine.hpp.

  [[nodiscard]] static bool gives_to_switches(const Host& host);
  [[nodiscard]] static bool is_for_switches(const HostPacket& packet);
  /// The channel that reductions use: the first of the class behind all others.
  [[nodiscard]] u32 reduction_channel() const { return channels_ - class_channels_; }
  [[nodiscard]] bool has_reduction_unit(u32 entity) const;
  /// Calls f(ReductionEngine) for that of an entity, if it has one.
  template <class F>
  void with_reduction_unit(u32 entity, F&& f);
  [[gnu::noinline]] void take_in(Tick tick, const Arrival& e);
  template <class F>
  void for_each_in_reduction(F&& f) const;

  // lane_engine.hpp.

  [[nodiscard]] u32 lane_to_node(const Packet& packet, const QueuePlace& place);
  void send_by_lane(u32 entity, Tick tick);
  void arbitrate(u32 entity, Tick tick);
  void serve_output(u32 entity, std::span<const Offer> offers, Tick tick);

  // cell_setup.hpp, cell_checks.hpp.

  void build();
  void check_shared(const Entity& s, u32 port, Tick now) const;
  void check_windows(Tick now) const;
  void add_entity(u32 entity);
  template <class F>
  void for_each_stored(const Entity& s, F&& f) const;
  template <class Self, class F>
  static void visit_state(Self& self, u32 entity, F&& f);

  // What endpoint::SwitchShell asks for.

  /// Calls f(stored packet) for all packets in the queues of a node.
  template <class F>
  void for_each_at_node(u32 entity, F&& f) const {
    for (u32 c = 0; c < node_queues_; ++c) pool_.for_each(node_queue(entity, c), f);
    if (has_reduction_unit(entity) && entities_[entity].has_node != 0)
      pool_.for_each(reduction_units_[entity]->out[entities_[entity].switch_ports], f);
  }
  [[nodiscard]] static constexpr bool is_data(const Packet& /*packet*/) { return true; }
  [[nodiscard]] u32 queues_of(const Entity& s) const { return ports_of(s) * channels_; }
  void find_again(u32 entity);
  void wake_node(u32 entity, Tick when) { wake_at(entity, when); }

  CellSettings switch_;
  u32 class_channels_;  ///< of a link for each traffic class: what a routing knows
  u32 channels_;        ///< of a link: those of all classes in turn
  u32 lanes_;  ///< lanes of an input for each output: the channels, and one of each class for packets with a choice; or
               ///< FIFOs
  u32 node_queues_;                              ///< of a node: one of each traffic class, or of each lane
  bool partial_classes_ = false;                 ///< routes of some class do not serve all sources
  std::vector<std::shared_ptr<Routes>> routes_;  ///< [traffic class]; one object for all of a mode
  CandidateSets candidate_sets_;
  std::vector<u32> of_class_;  ///< scratch of set_number
  Crossbar crossbar_;
  std::vector<arbiter::Matching::Turn> turns_;  ///< [as ports_, VC]; empty unless iSLIP
  arbiter::VlArbitration arbitration_;
  std::vector<Offer> offers_;  ///< of a tick
  RemoteOccupancy remote_occupancy_;
  endpoint::Congestion congestion_;
  ReductionUnits reduction_units_;
  bool keeps_arrivals_;  ///< what waits for an output is counted, and packets are routed when they are due; else, as
                         ///< nothing can tell, when they come
  bool gaps_ = false;    ///< see gap
  Host& host_;
  Kernel* kernel_ = nullptr;
  LargeVector<Entity> entities_;
  PortTable ports_;  ///< of entities in turn
  std::vector<Tick>
      link_through_;              ///< as ports_: when the link is through with all packets handed to it, where outputs
                                  ///< have buffers; else empty
  bool awaits_ = false;           ///< scratch: see free_space_at
  LargeVector<Tick> idle_until_;  ///< as ports_: before that no packet of an input may leave (nor has it to be asked)
  std::vector<i32> shared_left_;  ///< as ports_: cells of a shared buffer that are no channel's and free, by credits_;
                                  ///< empty where channels share nothing
  std::vector<List> other_node_queues_;  ///< of entities in turn, from the second on
  LargeVector<u64> masks_;               ///< see channel_words
  PacketPool<Packet> pool_;
  std::vector<std::unique_ptr<OpenPaths>> open_paths_;  ///< [traffic class]; of networks with faults, else empty
  const LiveFaults* live_ = nullptr;                    ///< what fails during the run; null: nothing does
  bool slow_links_ = false;                             ///< links have less than their rate at some time
  Tick faults_changed_at_ = never;
  SweepFollower follower_;
  std::vector<u32> moved_;  ///< scratch of route_again
};

}  // namespace weft::models::cells
