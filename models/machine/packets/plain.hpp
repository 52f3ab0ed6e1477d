// The policy of all plain routers: it keeps a packet's candidates beside its queue and asks the router's Routing the
// rest. Nothing in it is clever about when to look: whoever could move and did not is asked again in the next cycle.
#pragma once

#include <memory>

#include "models/machine/packets/policy.hpp"
#include "models/routing/open_paths.hpp"
#include "models/routing/recovery/sweep_follower.hpp"
#include "models/routing/router_kind.hpp"

namespace weft::models {

/// What a packet carries of its route in plain routers.
struct PlainState : RouteState {
  u32 left_source = 0;  ///< low 32 bits of the tick at which its header left its injection queue
};

/// Words: 64-bit words per mask; a router has fewer than 64 * Words channels.
template <unsigned Words>
class PlainPolicy : public PolicyBase<Words> {
 public:
  using typename PolicyBase<Words>::Mask;
  using State = PlainState;
  static constexpr bool one_loop = false, knows_live_faults = true;

  /// Candidates of the first packet of an input, see models::Candidates.
  struct Route {
    Mask outputs;
    u16 escape = Candidates::none, near_queue = Candidates::none;
    u8 escape_far_packets = 1, escape_near_packets = 0, near_packets = 0;
    enum class Stage : u8 {
      routed,
      to_node,
      arrived
    } stage = Stage::routed;  ///< to_node: only a node's link is left, or the first
    u32 memory = 0;           ///< the routing's own
  };

  using Stage = typename Route::Stage;

  /// The routing that settings.kind stands for. Throws ConfigError if the network is too large for packets to address.
  PlainPolicy(const Topology& topology, const RouterSettings& settings);

  [[nodiscard]] u32 virtual_channels() const { return channels_; }
  /// Between runs: routes are made anew, by routings that do, if what all routers know has changed since the last time.
  /// Routing::loop_in_transition.
  std::string follow_sweeps();
  [[nodiscard]] static u32 encode(NodeId node) { return node.value(); }
  [[nodiscard]] static u32 decode(u32 address) { return address; }
  [[nodiscard]] static u32 address(RouterId router) { return router.value(); }
  [[nodiscard]] u32 fed_port(u32 group) const { return by_direction_ ? group ^ 1U : group; }
  [[nodiscard]] u32 arrival_group(u32 port, u32 peer_port) const { return by_direction_ ? port : peer_port; }
  [[nodiscard]] static u32 credit_port(u32 /*port*/, u32 peer_port) { return peer_port; }

  void begin(RouteState& state, const Packet& packet, u64 bits) const {
    const u64 random_bits = (bits & ~u64{0xff}) | packet.ties;
    routing_->begin(state, NodeId(packet.from), NodeId(packet.to), random_bits);
    if (open_paths_) [[unlikely]]
      open_paths_->begin(state, NodeId(packet.from), NodeId(packet.to), random_bits);
  }
  /// A packet of input i takes the link of an output.
  template <class BlockType>
  void leave(PlainState& state, const BlockType& block, u32 i, u32 output) const {
    ++state.links;
    if (i >= block.shape->channels) state.left_source = block.input(i).stamp;
    if (!block.shape->nic) routing_->leave(state, place(block, i), output / channels_, output % channels_);
  }

  template <class BlockType, class PacketType>
  Verdict route(const BlockType& block, u32 i, PacketType& packet, u32 /*now*/) const {
    if (live_ == nullptr) [[likely]]
      return path(block, i, packet);
    return is_gone(block, i, packet) ? Verdict::dropped : if_cut_off(block, i, packet, path(block, i, packet));
  }
  /// Whether what has just changed may change where the first packet of input i may go, which waits.
  template <class BlockType, class PacketType>
  [[nodiscard]] bool is_concerned(const BlockType& block, u32 i, const PacketType& packet) const {
    const Route& route = block.route(i);
    const bool has_outputs = route.outputs.any() || route.escape != Candidates::none || route.stage == Stage::arrived;
    if (!takes_shortest_ || follower_.followed() || !has_outputs || route.memory != 0) return true;
    return live_->concerns(RouterId(block.head().address), NodeId(packet.to));
  }
  /// Likewise of packets that have been granted an output.
  template <class BlockType>
  [[nodiscard]] bool are_granted_concerned(const BlockType& block) const {
    return !block.shape->nic && live_->concerns_links_of(RouterId(block.head().address));
  }
  /// As `route`, as far as the packet's path is known.
  template <class BlockType, class PacketType>
  Verdict path(const BlockType& block, u32 i, const PacketType& packet) const {
    Route& route = block.route(i);
    route = {};
    const u32 address = block.head().address;
    OutputSet outputs(route.outputs.word, Words);
    const PacketOnRoute on_route{NodeId(packet.from), NodeId(packet.to), packet.state};
    if (block.shape->nic) {
      if (open_paths_ && packet.to != address && !open_paths_->from_source(on_route)) return Verdict::dropped;
      add_node_link(0, packet.state, false, outputs);
      route.stage = packet.to == address ? Stage::arrived : Stage::to_node;
      return route.stage == Stage::arrived ? Verdict::arrived : Verdict::waits;
    }
    if (node_links_ && router_of(packet.to) == address) {
      route.stage = Stage::to_node;
      add_node_link(port_of(packet.to), packet.state, true, outputs);
      return Verdict::waits;
    }
    Candidates candidates{outputs};
    Verdict verdict = routing_->route(place(block, i), on_route, candidates);
    if (open_paths_ && verdict == Verdict::waits) [[unlikely]]
      verdict = open_paths_->keep(place(block, i), on_route, candidates);
    route.escape = static_cast<u16>(candidates.escape);
    route.near_queue = static_cast<u16>(candidates.escape_near_queue);
    route.escape_far_packets = static_cast<u8>(candidates.escape_far_packets);
    route.escape_near_packets = static_cast<u8>(candidates.escape_near_packets);
    route.near_packets = static_cast<u8>(candidates.near_packets);
    route.memory = candidates.memory;
    if (verdict == Verdict::arrived) route.stage = Stage::arrived;
    return verdict;
  }

  template <class BlockType>
  void request(const BlockType& block, Tick tick, Requests<Words>& requests, Draw& draw) const {
    block.head().waiting.for_each([&](u32 i) { request_alone(block, i, tick, requests, draw); });
  }
  template <class BlockType>
  void request_alone(const BlockType& block, u32 i, Tick tick, Requests<Words>& requests, Draw& draw) const {
    const auto& head = block.head();
    Route& route = block.route(i);
    if (route.stage == Stage::arrived) {
      if (head.free.test(block.shape->channels)) requests.ask(i, block.shape->channels);
      return;
    }
    if (!may_move(block, route)) return;
    const View<BlockType> view(block, *this, static_cast<u32>(tick));
    const u64 bits = engine::remix(draw.bits(), 64 * Words + i);
    const u32 choice = route.stage == Stage::routed
                           ? routing_->request(view, candidates(route), route.memory, bits)
                           : view.random_with_space(OutputSet(route.outputs.word, Words), bits);
    if (choice != Candidates::none && view.open(choice)) requests.ask(i, choice);
    requests.again.set(i);  // if he gets nothing now
  }
  template <class BlockType>
  [[nodiscard]] Mask who_may_move(const BlockType& block) const {
    Mask movers;
    block.head().waiting.for_each([&](u32 i) { movers.set_if(i, may_move(block, block.route(i))); });
    return movers;
  }
  /// Who waits for free space in one of this router's own queues has an open output, and is asked in every cycle.
  template <class BlockType>
  [[nodiscard]] static Mask bubble_seekers(const BlockType& /*block*/, u32 /*i*/) {
    return {};
  }
  [[nodiscard]] static bool watches_own_queues() { return false; }
  /// Routings compare outputs with free space only.
  [[nodiscard]] static bool full_queues_are_alike(const Shape& /*shape*/, u32 /*port*/) { return true; }
  [[nodiscard]] bool looks_at_held_outputs() const { return tries_held_; }

  [[nodiscard]] u32 direction_in_order(const Packet& packet, u32 /*address*/) const {
    return routing_->first_port(NodeId(packet.from), NodeId(packet.to), packet.ties);
  }
  [[nodiscard]] u32 longest_direction(const Packet& packet, u32 /*address*/) const {
    return routing_->longest_port(NodeId(packet.from), NodeId(packet.to), packet.ties);
  }
  template <class F>
  void for_profitable(const Packet& packet, u32 /*address*/, F&& f) const {
    u64 ports = routing_->profitable_ports(NodeId(packet.from), NodeId(packet.to), packet.ties);
    if (ports == 0) f(0U);
    for (; ports != 0; ports &= ports - 1) f(static_cast<u32>(std::countr_zero(ports)));
  }

  template <class BlockType>
  [[nodiscard]] Peer wanted(const BlockType& block, u32 i, const Topology& topology) const {
    const Route& route = block.route(i);
    if (route.stage == Stage::arrived) return {Peer::Kind::node, block.head().global, 0};
    if (route.escape == Candidates::none && !route.outputs.any()) return {};  // cut off, until a part is repaired
    const u32 output = route.escape != Candidates::none ? route.escape : route.outputs.next(0);
    return far_queue(block.head(), block.shape->nic, output, topology);
  }

 private:
  /// What a routing may see of a block.
  template <class BlockType>
  class View final : public RouterView {
   public:
    View(const BlockType& block, const PlainPolicy& policy, u32 now)
        : RouterView(block.head().free.word, block.head().space.word, now,
                     {static_cast<u32>(policy.settings_.packet_ticks), static_cast<u32>(policy.settings_.cycle_ticks),
                      policy.settings_.queue_packets}),
          block_(block),
          policy_(policy) {}
    [[nodiscard]] u32 occupied_ticks(u32 output) const override {
      const u32 slot = block_.slot(output);
      return occupancy_of(block_.used(slot), block_.flags(slot), at_most(block_.send_start(slot), now()),
                          block_.drain_base(slot), now(), packet_ticks())
          .ticks;
    }
    [[nodiscard]] u32 local_space_ticks(u32 input) const override {
      const auto& queue = block_.input(input);
      const bool departs = is_departing(block_, input) && at_most(queue.stamp, now()) == queue.stamp;
      return queue_packets() * packet_ticks() - queue_ticks(queue, now(), policy_.settings_, departs);
    }

   private:
    const BlockType& block_;
    const PlainPolicy& policy_;
  };

  /// Whether parts that failed during the run have taken a packet with them: it was lost on a link, or its router or
  /// source does not work. Such a packet has no route any more.
  template <class BlockType, class PacketType>
  [[nodiscard]] bool is_gone(const BlockType& block, u32 i, PacketType& packet) const {
    const RouterId router(block.head().address);
    if (packet.state.is_lost()) return true;
    if (!block.shape->nic && !live_->works(router)) {
      packet.state.lose(live_->failure(router));
    } else if (i >= block.shape->channels && !live_->works(NodeId(packet.from))) {
      packet.state.lose(live_->failure(NodeId(packet.from)));
    }
    return packet.state.is_lost();
  }
  /// What becomes of another one: at a node that does not work it is dropped; one that is cut off waits if it may.
  template <class BlockType, class PacketType>
  [[nodiscard]] Verdict if_cut_off(const BlockType& block, u32 i, const PacketType& packet, Verdict verdict) const {
    if (verdict == Verdict::arrived) return live_->works(NodeId(packet.to)) ? verdict : Verdict::dropped;
    if (verdict != Verdict::dropped || !may_wait(NodeId(packet.from))) return verdict;
    block.route(i) = {};  // no output until routers know of a change
    return Verdict::waits;
  }
  /// For a repair; or until the others know that its node works again, and have laid routes from there.
  [[nodiscard]] bool may_wait(NodeId from) const {
    if (routing_->leads_round_failures() && live_->sweep_due() && !live_->known_to_work(from)) return true;
    return live_->cut_off() == CutOff::wait && live_->damaged();
  }

  void add_node_link(u32 port, const RouteState& state, bool to_node, OutputSet& outputs) const {
    const Routing::Channels some = routing_->node_link_channels(state, to_node);
    outputs.add_range(port * channels_ + some.first, std::min(some.count, channels_ - some.first));
  }
  [[nodiscard]] static Candidates candidates(Route& route) {
    return {OutputSet(route.outputs.word, Words),
            route.escape,
            route.escape_far_packets,
            route.escape_near_packets,
            route.near_queue,
            route.near_packets,
            0};
  }
  /// Whether something that the packet may ask for is open, or worth a trial.
  template <class BlockType>
  [[nodiscard]] bool may_move(const BlockType& block, const Route& route) const {
    const auto& head = block.head();
    if (route.stage == Stage::arrived) return head.free.test(block.shape->channels);
    const Mask open = tries_held_ ? head.space : head.space & head.free;
    return (open & route.outputs).any() || (route.escape != Candidates::none && open.test(route.escape));
  }
  template <class BlockType>
  [[nodiscard]] QueuePlace place(const BlockType& block, u32 i) const {
    if (i >= block.shape->channels) return {block.head().address, QueuePlace::injection, i - block.shape->channels};
    return {block.head().address, fed_port(block.shape->port_of[i]), i % channels_};
  }
  [[nodiscard]] Peer far_queue(const BlockHead<Words>& head, bool nic, u32 output, const Topology& topology) const;
  [[nodiscard]] u32 router_of(u32 node) const { return topology_.router_of(NodeId(node)).value(); }
  [[nodiscard]] u32 port_of(u32 node) const { return topology_.port_of(NodeId(node)); }

  const Topology& topology_;
  RouterSettings settings_;
  std::unique_ptr<Routing> routing_;
  const LiveFaults* live_;                 ///< what fails during the run; null: nothing does
  std::unique_ptr<OpenPaths> open_paths_;  ///< of networks with faults
  SweepFollower follower_;
  u32 channels_;
  bool by_direction_, node_links_, tries_held_;
  bool takes_shortest_;  ///< packets take shortest paths, and no others where parts have failed
};

}  // namespace weft::models
