// Bubble routing on meshes and tori: an escape ring per direction kept free of deadlock by a bubble, adaptive channels
// beside.
#pragma once

#include <array>
#include <memory>

#include "models/core/packet.hpp"
#include "models/machine/packets/cube_addresses.hpp"
#include "models/machine/packets/cube_shape.hpp"
#include "models/machine/packets/policy.hpp"
#include "models/machine/packets/shortest_choices.hpp"
#include "models/topology/topology.hpp"

namespace weft::models {

enum class BubbleRequest : u8 { oblivious, random, shortest, smart };

/// Requests of a k-ary n-cube router (Puente et al., "The adaptive bubble router", JPDC 2001; modes as in INSEE).
/// Ports: 2d goes up in dimension d, 2d+1 down. The input fed by packets that travel in direction p has index
/// p * virtual_channels + channel, the same as the output they would go on through.
/// Channel 0 is the escape channel (dimension order), the others are adaptive; *oblivious* treats every channel as
/// escape. `Dimensions`, `Channels`: dimensions and virtual channels if they are known when the program is compiled,
/// else 0.
/// Larger than others: small functions, each a question of models::Network.
template <u32 Dimensions, u32 Channels>
class SizedBubblePolicy : public PolicyBase<1> {
 public:
  using ShapeType = std::conditional_t<Dimensions == 0, Shape, CubeShape<Dimensions, Channels>>;
  static constexpr bool one_shape = true;  ///< all routers have the same ports

  /// What the first packet of an input may ask for: profitable directions, bit mask; 0 for a packet that has arrived.
  /// The lowest is the one of dimension order, whose channel 0 is the escape channel.
  struct Route {
    u32 directions = 0;
  };

  SizedBubblePolicy(const Topology& topology, const RouterSettings& settings);

  [[nodiscard]] u32 virtual_channels() const { return Channels != 0 ? Channels : settings_.virtual_channels; }

  [[nodiscard]] u32 encode(NodeId node) const { return addresses_.encode(node); }
  [[nodiscard]] u32 distance(u32 from, u32 to) const { return addresses_.distance(from, to); }
  /// Bytes that the policy keeps per input in a router's block.
  [[nodiscard]] u32 extra_bytes() const {
    return request_ == BubbleRequest::smart ? static_cast<u32>(sizeof(Trial)) : 0;
  }
  /// All links of a route join routers.
  [[nodiscard]] u32 router_hops(u32 from, u32 to) const { return distance(from, to); }
  /// Inputs are numbered by the direction of travel: what came through port p ^ 1 travels in direction p.
  [[nodiscard]] static u32 fed_port(u32 group) { return group ^ 1U; }
  [[nodiscard]] static u32 arrival_group(u32 port, u32 /*peer_port*/) { return port; }

  /// Node of an address.
  [[nodiscard]] u32 decode(u32 address) const { return addresses_.decode(address); }
  /// The queue that a blocked first packet needs free space in: its escape channel (router, input index), for reports.
  template <class BlockType>
  [[nodiscard]] Peer wanted(const BlockType& block, u32 i, const Topology& topology) const {
    return wanted_by(block.route(i), block.head().global, topology);
  }

  /// What a router computes with: its coordinates, packed.
  [[nodiscard]] u32 address(RouterId router) const { return addresses_.encode(NodeId(router.value())); }

  [[nodiscard]] u32 slot(const Shape& shape, u32 output) const {
    return cube_slot(output, shape.ports, virtual_channels());
  }
  [[nodiscard]] static u32 wants_count(const Shape& shape) { return cube_wants(shape.ports); }

  template <class BlockType>
  Verdict route(const BlockType& block, u32 i, const Packet& packet, u32 now) const {
    const u32 ports = 2 * dimensions(),
              directions = addresses_.template profitable<Dimensions>(packet, block.head().address);
    u32& route = block.route(i).directions;
    Mask* const wants = &block.wants(0);
    // Bit k: whether it belongs to set k; there are four sets for each dimension and one for those that have arrived.
    const u64 sets = directions | static_cast<u64>(directions & (0U - directions)) << ports, bit = u64{1} << i;
    for (u32 k = 0; k < 2 * ports; k += 4) {
      const Four member = (sets >> (ascending_four + k)) & 1;
      store_four(wants + k, (load_four(wants + k) & ~bit) | member << i);
    }
    u64& arrived = wants[2 * ports].word[0];
    arrived = (arrived & ~bit) | static_cast<u64>(directions == 0) << i;
    route = directions;
    if (request_ == BubbleRequest::smart) block.template extra<Trial>(i) = {now, 0};
    return directions == 0 ? Verdict::arrived : Verdict::waits;
  }

  /// Injection queue that a packet prefers by its route, given how many queues there are; see
  /// RouterSettings::injection.
  [[nodiscard]] u32 direction_in_order(const Packet& packet, u32 place) const {
    const u32 directions = addresses_.template profitable<Dimensions>(packet, place);
    return directions == 0 ? 0 : static_cast<u32>(std::countr_zero(directions));
  }
  [[nodiscard]] u32 longest_direction(const Packet& packet, u32 place) const {
    return addresses_.longest_direction(packet, place);
  }
  /// Calls f(direction) for every profitable direction.
  template <class F>
  void for_profitable(const Packet& packet, u32 place, F&& f) const {
    for (u32 left = addresses_.template profitable<Dimensions>(packet, place); left != 0; left &= left - 1)
      f(static_cast<u32>(std::countr_zero(left)));
  }

  /// Inputs, waiting or not, that may want `output` to be open. Mode *smart* looks at every change: its trials go on.
  template <class BlockType>
  [[nodiscard]] Mask concerned(const BlockType& block, u32 output) const {
    if (request_ == BubbleRequest::smart) return {{~u64{0}}};
    if (output == consumption()) return block.wants(4 * dimensions());
    const u32 port = block.shape->port_of[output];
    return block.wants(is_adaptive(output) ? port : 2 * dimensions() + port);
  }
  /// Inputs that may want a bubble in input queue `i`, to enter the ring that it belongs to.
  template <class BlockType>
  [[nodiscard]] Mask bubble_seekers(const BlockType& block, u32 i) const {
    if (request_ == BubbleRequest::smart) return {{~u64{0}}};
    if (i >= consumption()) return {};
    const bool all = settings_.local_buffer_packets > 0;
    return all ? block.wants(block.shape->port_of[i]) : concerned(block, i);
  }
  [[nodiscard]] bool watches_own_queues() const { return bubble_packets_ > 0 || settings_.local_buffer_packets > 0; }
  [[nodiscard]] static bool full_queues_are_alike(const ShapeType& /*shape*/, u32 /*port*/) { return true; }
  [[nodiscard]] bool looks_at_held_outputs() const { return request_ == BubbleRequest::smart; }

  /// A packet has left through `output`, and the next one may take the link: packets asleep may have counted on its not
  /// filling up what they insist on. True if it woke some.
  template <class BlockType>
  bool released(const BlockType& block, u32 output) const {
    auto& head = block.head();
    const u64 before = head.asleep.word[0];
    head.asleep.word[0] &= ~block.wants(block.shape->port_of[output]).word[0];
    return head.asleep.word[0] != before;
  }
  /// Something else changed at `output` that packets asleep may have counted on: filled up, free space again, or a
  /// drain begun. True if it woke some. Those asleep choose from adaptive channels, and one of these has free space:
  /// escape channels are nothing to them.
  template <class BlockType>
  bool changed(const BlockType& block, u32 output) const {
    return is_adaptive(output) && released(block, output);
  }
  /// No free space behind `output` any more: wakes the packets that would rather have waited for it. Returns the inputs
  /// that may ask for something else now: those, and those that find no adaptive channel with free space and turn to
  /// their escape channel.
  template <class BlockType>
  Mask filled(const BlockType& block, u32 output) const {
    if (request_ == BubbleRequest::smart || !is_adaptive(output)) return {};
    changed(block, output);
    return block.wants(block.shape->port_of[output]);
  }

  /// Inputs whose first packet could be granted something, from the masks alone; the others need not be looked at.
  template <class BlockType>
  [[nodiscard]] Mask who_may_move(const BlockType& block) const {
    const auto& head = block.head();
    if (request_ == BubbleRequest::smart) return head.waiting;
    return head.waiting & Mask{{who_may_move(block, head.space.word[0], head.free.word[0])}};
  }

  /// Makes the requests of a router for this cycle.
  template <class BlockType>
  void request(const BlockType& block, Tick tick, Requests<words>& requests, Draw& draw) const {
    auto& head = block.head();
    const u64 space = head.space.word[0], free = head.free.word[0];
    const u64 awake = requests.awake(head, tick).word[0];
    if (awake == 0) return;
    if (choices_) {
      return all_shortest(block, awake, tick, requests);
    }
    const Mask movers{{awake & who_may_move(block, space, free)}};
    movers.for_each([&](u32 i) { request_one(block, i, tick, requests, draw); });
  }
  /// After the grants of a cycle: packets of mode *shortest* that insist on a held channel go to sleep.
  template <class BlockType>
  void after_grants(const BlockType& block, Tick tick, Requests<words>& requests) const {
    if (choices_) choices_->finish(block, tick, requests);
  }
  /// Makes the requests of a router in which only input `i` waits.
  template <class BlockType>
  void request_alone(const BlockType& block, u32 i, Tick tick, Requests<words>& requests, Draw& draw) const {
    if (block.route(i).directions == 0 && !block.head().free.test(consumption())) return;
    request_one(block, i, tick, requests, draw);
  }

 private:
  static constexpr u32 no_direction = ~u32{0};
  [[nodiscard]] u32 dimensions() const { return Dimensions != 0 ? Dimensions : dimensions_; }
  [[nodiscard]] bool is_adaptive(u32 output) const { return ((all_escape_ >> output) & 1) == 0; }
  /// Output of those that have arrived.
  [[nodiscard]] u32 consumption() const { return 2 * dimensions() * virtual_channels(); }
  static constexpr u32 escape_trial = ~u32{0};  ///< the escape channel's turn
  /// Mode *smart*: the next dimension that a first packet tries, and the cycle that this belongs to.
  struct Trial {
    u32 tick = 0, trial = 0;
  };

  [[nodiscard]] u32 escape_output(const Route& route) const {
    return static_cast<u32>(std::countr_zero(route.directions)) * virtual_channels();
  }

  template <class BlockType>
  [[gnu::noinline]] void request_one(const BlockType& block, u32 i, Tick tick, Requests<words>& requests,
                                     Draw& draw) const {
    const Route& route = block.route(i);
    if (route.directions == 0) return requests.ask(i, consumption());
    switch (request_) {
      case BubbleRequest::oblivious:
        return oblivious(block, i, route, tick, requests, draw);
      case BubbleRequest::smart:
        return smart(block, i, route, tick, requests, draw);
      case BubbleRequest::random:
        return random(block, i, route, tick, requests, draw);
      case BubbleRequest::shortest:
        return shortest(block, i, route, tick, requests);
    }
  }

  /// Inputs by what the masks of a router leave to them, whether or not they wait.
  struct Chances {
    u64 adaptive_open;   ///< an adaptive channel with free space that nobody holds
    u64 adaptive_space;  ///< an adaptive channel with free space
    u64 escape_open;     ///< their escape channel, if the bubble allows it
    /// The escape channel is for those without free space in any adaptive one.
    [[nodiscard]] u64 escape_only() const { return escape_open & ~adaptive_space; }
  };
  template <class BlockType>
  [[nodiscard]] Chances chances(const BlockType& block, u64 space, u64 open) const {
    const Mask* const wants = &block.wants(0);
    const u32 ports = 2 * dimensions();
    Four adaptive_open{}, adaptive_space{}, escape_open{};
    // Four ports at once: branches on the state of the router would be as good as random. Ports that are not there have
    // no channels; the sets that are read for them lie within the block.
    for (u32 p = 0; p < ports; p += 4) {
      const Four adaptive = load_four(wants + p), channels = load_four(&adaptive_[p]);
      adaptive_open |= where_meeting(adaptive, channels, open);
      adaptive_space |= where_meeting(adaptive, channels, space);
      escape_open |= where_meeting(load_four(wants + ports + p), load_four(&escape_[p]), open);
    }
    return {joined(adaptive_open), joined(adaptive_space), joined(escape_open)};
  }
  template <class BlockType>
  [[nodiscard]] u64 who_may_move(const BlockType& block, u64 space, u64 free) const {
    const Chances they = chances(block, space, space & free);
    const u64 arrived = block.wants(4 * dimensions()).word[0] & (0 - ((free >> consumption()) & 1));
    return they.adaptive_open | (escape_always_ ? they.escape_open : they.escape_only()) | arrived;
  }

  [[nodiscard]] u64 adaptive_outputs(u32 directions) const {
    u64 outputs = 0;
    for (u32 left = directions; left != 0; left &= left - 1) outputs |= adaptive_[std::countr_zero(left)];
    return outputs;
  }
  /// New packets are subject to the local buffer restriction.
  template <class BlockType>
  [[nodiscard]] bool restricted(const BlockType& block, u32 i) const {
    return settings_.local_buffer_packets > 0 && i >= block.shape->channels;
  }

  /// Any adaptive channel with free space, also one that others hold; the escape channel if there is none.
  template <class BlockType>
  void random(const BlockType& block, u32 i, const Route& route, Tick tick, Requests<words>& requests,
              Draw& draw) const;

  /// The requests of mode *shortest* for all inputs in `awake`.
  template <class BlockType>
  void all_shortest(const BlockType& block, u64 awake, Tick tick, Requests<words>& requests) const;

  /// The adaptive channel with most free space, lowest index first among equals; channels that others hold are looked
  /// at too, as the router does not know when they will be freed: a packet may wait for a held channel though another
  /// is open.
  template <class BlockType>
  void shortest(const BlockType& block, u32 i, const Route& route, Tick tick, Requests<words>& requests) const;

  /// Asks for the escape outputs of all inputs in `group`, where the bubble allows it.
  template <class BlockType>
  void escape_all(const BlockType& block, u64 group, u64 open, Tick tick, Requests<words>& requests) const;
  /// Whether this router's queue of the ring that `output` belongs to is so empty that a packet may enter the ring.
  template <class BlockType>
  [[nodiscard]] bool has_bubble(const BlockType& block, u32 output, Tick tick) const {
    return local_space(block, output, tick) >= bubble_packets_ * settings_.packet_ticks;
  }

  /// Asks for an escape output if virtual cut-through and the bubble allow it.
  template <class BlockType>
  void escape(const BlockType& block, u32 i, u32 output, Tick tick, Requests<words>& requests) const {
    if (block.head().free.test(output) && may_enter(block, i, output, tick, requests)) requests.ask(i, output);
  }

  /// Free space at the neighbour; to enter a ring (not to go on in it) also a bubble in this router's queue of that
  /// ring.
  template <class BlockType>
  [[nodiscard]] bool may_enter(const BlockType& block, u32 i, u32 output, Tick tick, Requests<words>& requests) const;

  /// Free space of this router's input queue with the index of `output`, in ticks of link time.
  template <class BlockType>
  [[nodiscard]] Tick local_space(const BlockType& block, u32 output, Tick tick) const {
    return settings_.queue_packets * settings_.packet_ticks -
           queue_ticks(block, output, static_cast<u32>(tick), settings_);
  }

  /// The candidates that a new packet may have under the local buffer restriction. This router's queues empty without
  /// events.
  template <class BlockType>
  [[nodiscard]] u64 with_local_space(const BlockType& block, u64 candidates, Tick tick,
                                     Requests<words>& requests) const;

  /// Dimension order, same channel onward in a dimension, a random channel at injection and at turns; bubble on all.
  template <class BlockType>
  void oblivious(const BlockType& block, u32 i, const Route& route, Tick tick, Requests<words>& requests,
                 Draw& draw) const;

  /// One trial per cycle: own dimension first, then the next ones, then the escape channel, then round again.
  template <class BlockType>
  void smart(const BlockType& block, u32 i, const Route& route, Tick tick, Requests<words>& requests, Draw& draw) const;

  /// One cycle of the smart mode: the output asked for, or no_direction; moves the trial on. When `replayed`, the cycle
  /// is one in which nothing was open.
  template <class BlockType>
  u32 trial(const BlockType& block, u32 i, const Route& route, Trial& state, Tick tick, u64 bits, bool replayed,
            Requests<words>& requests) const;

  static constexpr u32 max_replayed = 64;

  [[nodiscard]] Peer wanted_by(const Route& route, u32 router, const Topology& topology) const;

  RouterSettings settings_;
  BubbleRequest request_ = BubbleRequest::shortest;
  u32 bubble_packets_ = 2;  ///< free space wanted in this router's queue to enter a ring
  u32 dimensions_ = 0;
  bool escape_always_ = false;  ///< escape channels are asked for whether or not there is free space in adaptive ones
  CubeAddresses addresses_;
  std::array<u64, 32> adaptive_{}, escape_{};  ///< adaptive and escape outputs of a direction
  u64 all_escape_ = 0;
  std::unique_ptr<ShortestChoices<Dimensions, Channels>>
      choices_;  ///< mode *shortest*, where all outputs can be looked at in one go
};

/// For any dimensions and virtual channels.
using BubblePolicy = SizedBubblePolicy<0, 0>;

}  // namespace weft::models
