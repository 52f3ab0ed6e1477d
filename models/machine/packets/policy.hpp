// What a Network asks of a router: the concept that names every member with its contract, and a base with defaults that
// are correct for any router and buy no speed. A plain router does not write a policy but a Routing
// (models/routing/routing.hpp).
#pragma once

#include <concepts>
#include <type_traits>

#include "models/core/packet.hpp"
#include "models/machine/packets/block.hpp"
#include "models/machine/packets/requests.hpp"
#include "models/routing/routing.hpp"
#include "models/topology/topology.hpp"

namespace weft::models {

/// A policy that keeps nothing in packets.
struct NoState {};

/// Defaults of the members that only buy speed, and of those that most routers share. Each may be hidden by a member of
/// the same name. `Words`: 64-bit words per set of inputs or outputs; a router has fewer than 64 * Words channels.
///
/// When a router looks at its requests. In a tick in which something happened at a router (a packet became first, was
/// released, free space came back...) all that wait are asked (`request`); those that could have been granted something
/// but were not are asked again in the next cycle. A policy may say that some need not be: which inputs an event
/// concerns, who sleeps. The judge is RouterSettings:: every_cycle, with which all are asked in every cycle: the
/// history must be the same (tests/models/network/every_cycle_test.cpp).
template <unsigned Words>
struct PolicyBase {
  static constexpr unsigned words = Words;
  using Mask = engine::BitSet<Words>;
  using ShapeType = Shape;
  using State = NoState;                            ///< what packets carry of their route
  static constexpr bool one_shape = false;          ///< all entities have the same Shape, known without a table
  static constexpr bool requests_by_route = true;   ///< `request` reads each packet's route: it is loaded ahead
  static constexpr bool knows_live_faults = false;  ///< of networks whose parts fail during the run
  static constexpr bool one_loop = true;            ///< worth compiling into one function with the kernel

  /// Bytes that the policy keeps per input besides the Route (Block::extra).
  [[nodiscard]] static u32 extra_bytes() { return 0; }
  /// Sets of inputs that the policy keeps per router (Block::wants).
  [[nodiscard]] static u32 wants_count(const Shape& /*shape*/) { return 0; }
  /// Fills in what the policy keeps of a kind of router, or (shape.nic) of NICs.
  static void describe(Shape& /*shape*/, u32 /*kind*/) {}
  /// Where what is kept of an output lies among those of its router (Block::slot): outputs that packets choose from
  /// follow each other.
  [[nodiscard]] static u32 slot(const Shape& /*shape*/, u32 output) { return output; }

  /// Inputs are numbered by the port that packets come through. Port whose packets go to the inputs of group `port` (=
  /// input / virtual channels).
  [[nodiscard]] static u32 fed_port(u32 port) { return port; }
  /// Group of inputs, at the far end of the link of `port`, that what leaves through it goes to.
  [[nodiscard]] static u32 arrival_group(u32 /*port*/, u32 peer_port) { return peer_port; }
  /// Port at the far end of the link of `port` whose credits the far end counts for what it sends here.
  [[nodiscard]] static u32 credit_port(u32 /*port*/, u32 peer_port) { return peer_port; }

  /// Inputs, waiting or not, that may want `output` to be open (free, with free space).
  template <class BlockType>
  [[nodiscard]] static Mask concerned(const BlockType& block, u32 /*output*/) {
    return block.head().waiting;
  }
  /// Inputs that may go by how much free space there is in this router's input queue `i`.
  template <class BlockType>
  [[nodiscard]] static Mask bubble_seekers(const BlockType& block, u32 /*i*/) {
    return block.head().waiting;
  }
  /// Whether free space that comes back in this router's own queues may let somebody go: it grows without an event.
  [[nodiscard]] static bool watches_own_queues() { return true; }
  /// Whether the neighbour that feeds the inputs of group `port` never compares their occupancy while there is no
  /// free space for a packet: then it need not be notified of a drain before there is.
  [[nodiscard]] static bool full_queues_are_alike(const Shape& /*shape*/, u32 /*port*/) { return false; }
  /// Whether free space behind an output that somebody holds can change what others ask for.
  [[nodiscard]] static bool looks_at_held_outputs() { return true; }
  /// Something changed at `output`: free space again, or a drain begun. Wakes those asleep whom it may concern; true if
  /// it woke some.
  template <class BlockType>
  static bool changed(const BlockType& block, u32 /*output*/) {
    const bool some = block.head().asleep.any();
    block.head().asleep = {};
    return some;
  }
  /// A packet has left through `output`. Wakes those asleep whom it may concern; true if it woke some.
  template <class BlockType>
  static bool released(const BlockType& block, u32 output) {
    return changed(block, output);
  }
  /// There is no free space behind an output any more: wakes those asleep whom it may concern. Returns the inputs that
  /// may ask for something else now.
  template <class BlockType>
  static Mask filled(const BlockType& block, u32 /*output*/) {
    block.head().asleep = {};
    return block.head().waiting;
  }
  /// Inputs that wait and could be granted something, from what is known now; the others need not be asked in the next
  /// cycle.
  template <class BlockType>
  [[nodiscard]] static Mask who_may_move(const BlockType& block) {
    return block.head().waiting;
  }
  /// After the grants of a cycle.
  template <class BlockType>
  static void after_grants(const BlockType& /*block*/, Tick /*tick*/, Requests<Words>& /*requests*/) {}

  /// Injection queue that a new packet would rather have, see RouterSettings::injection; any number, taken modulo the
  /// queues.
  [[nodiscard]] static u32 direction_in_order(const Packet&, u32 /*address*/) { return 0; }
  [[nodiscard]] static u32 longest_direction(const Packet&, u32 /*address*/) { return 0; }
  /// Calls f(direction) for every direction in which a shortest route may start.
  template <class F>
  static void for_profitable(const Packet&, u32 /*address*/, F&& f) {
    f(0U);
  }
};

/// What a Network asks of a policy. `i`: input number; an output is port * virtual channels + channel, or `channels` of
/// the shape for consumption. Addresses are what packets carry as `from` and `to`.
template <class P>
concept RouterPolicy = std::derived_from<P, PolicyBase<P::words>> &&
    std::constructible_from<P, const Topology&, const RouterSettings&> && requires(
        const P& policy,
        const Block<P::words, typename P::Route, PacketWith<Packet, typename P::State>, typename P::ShapeType>& block,
        const typename P::ShapeType& shape, const PacketWith<Packet, typename P::State>& packet,
        Requests<P::words>& requests, Draw& draw, u32 number, Tick tick, NodeId node, RouterId router,
        const Topology& topology) {
  typename P::Route;
  { policy.virtual_channels() } -> std::same_as<u32>;
  // Packet::to of a node, and back; at most Packet::address_bits bits.
  { policy.encode(node) } -> std::same_as<u32>;
  { policy.decode(number) } -> std::same_as<u32>;
  // What a router computes with, kept in its block (BlockHead::address); a NIC's is its node.
  { policy.address(router) } -> std::same_as<u32>;
  // Works out where the first packet of input i may go, and notes it in block.route(i); called once, when it becomes
  // first.
  { policy.route(block, number, packet, u32{}) } -> std::same_as<Verdict>;
  // All that wait ask: requests.ask(i, output), only for outputs that are free and have free space; at most one output
  // an input. Whoever is refused what he could have had is to be asked again: requests.check_again, or `again` and
  // who_may_move.
  policy.request(block, tick, requests, draw);
  // Makes the requests where only input i waits.
  policy.request_alone(block, number, tick, requests, draw);
  // The queue that a blocked first packet needs free space in (global entity, input), for reports.
  { policy.wanted(block, number, topology) } -> std::same_as<Peer>;
  // Members of PolicyBase, which a policy may hide.
  { policy.slot(Shape{}, number) } -> std::same_as<u32>;
  { policy.wants_count(Shape{}) } -> std::same_as<u32>;
  { policy.concerned(block, number) } -> std::same_as<typename P::Mask>;
  { policy.bubble_seekers(block, number) } -> std::same_as<typename P::Mask>;
  { policy.full_queues_are_alike(shape, number) } -> std::same_as<bool>;
  { policy.changed(block, number) } -> std::same_as<bool>;
  { policy.released(block, number) } -> std::same_as<bool>;
  { policy.filled(block, number) } -> std::same_as<typename P::Mask>;
  { policy.who_may_move(block) } -> std::same_as<typename P::Mask>;
} &&
    // A policy without state in packets knows the length of the route that a packet has taken.
    (!std::is_empty_v<typename P::State> || requires(const P& policy, u32 address) {
      { policy.distance(address, address) } -> std::same_as<u32>;
      { policy.router_hops(address, address) } -> std::same_as<u32>;
    });

}  // namespace weft::models
