// A plain router: where packets may go, and for which of the outputs that are open they ask. All of them share one
// event loop (models/machine/packets/plain.hpp), so one costs a file of some 80 lines and a second or two to compile;
// see docs/adding-a-router.md.
#pragma once

#include <array>
#include <bit>
#include <string>

#include "engine/base/bits.hpp"
#include "engine/base/types.hpp"
#include "engine/random.hpp"
#include "models/routing/injection_hints.hpp"
#include "models/routing/numbered_paths.hpp"
#include "models/routing/occupancy_choice.hpp"
#include "models/routing/route_state.hpp"

namespace weft::models {

class Topology;

/// A packet as a routing sees it.
struct PacketOnRoute {
  NodeId from, to;
  const RouteState& state;
};

/// What becomes of a first packet.
enum class Verdict : u8 {
  waits,    ///< for one of its candidates
  arrived,  ///< at the router of its destination, which sits inside it
  dropped,  ///< it can go nowhere, by a rule of the model; counted
};

/// A set of outputs (port * virtual channels + channel) of a router; refers to words kept elsewhere.
class OutputSet {
 public:
  OutputSet(u64* words, u32 count) : words_(words), count_(count) {}
  void add(u32 output) { engine::set_bit(words_, output); }
  void add_range(u32 first, u32 count) {
    for (u32 o = first; o < first + count; ++o) add(o);
  }
  void remove_range(u32 first, u32 count) {
    for (u32 o = first; o < first + count; ++o) engine::clear_bit(words_, o);
  }
  [[nodiscard]] bool has(u32 output) const { return engine::test_bit(words_, output); }
  [[nodiscard]] u64 word(u32 w) const { return words_[w]; }
  [[nodiscard]] u32 words() const { return count_; }

 private:
  u64* words_;
  u32 count_;
};

/// The outputs that a first packet may ask for while it waits where it is. Two classes: those it would rather take, and
/// one escape output that may be entered under a condition.
struct Candidates {
  static constexpr u32 none = 0xffff;
  OutputSet outputs;             ///< free to be asked for whenever the far queue has free space for a packet
  u32 escape = none;             ///< an output besides, or `none`
  u32 escape_far_packets = 1;    ///< free space that the escape output's far queue must have, in packets
  u32 escape_near_packets = 0;   ///< free space that this router's own queue of that ring must have (the bubble), in
                                 ///< packets
  u32 escape_near_queue = none;  ///< which queue that is: input number
  u32 near_packets = 0;  ///< free space that this router's own queue of the same number must have, for any output, in
                         ///< packets
  u32 memory = 0;        ///< what `memory` of Routing::request begins with
};

/// State of a router in a cycle, as far as choices go by it. Ticks are of link time: free space / packet_ticks =
/// packets.
class RouterView {
 public:
  struct Scale {
    u32 packet_ticks, cycle_ticks, queue_packets;
  };
  RouterView(const u64* free, const u64* space, u32 now, const Scale& scale)
      : free_(free), space_(space), now_(now), scale_(scale) {}
  virtual ~RouterView() = default;
  /// Whether nobody holds an output.
  [[nodiscard]] bool free(u32 output) const { return engine::test_bit(free_, output); }
  /// Whether the far queue of an output has free space for a packet.
  [[nodiscard]] bool space(u32 output) const { return engine::test_bit(space_, output); }
  [[nodiscard]] bool open(u32 output) const { return free(output) && space(output); }
  [[nodiscard]] u64 free_word(u32 w) const { return free_[w]; }
  [[nodiscard]] u64 space_word(u32 w) const { return space_[w]; }
  [[nodiscard]] u32 packet_ticks() const { return scale_.packet_ticks; }
  [[nodiscard]] u32 queue_packets() const { return scale_.queue_packets; }
  /// Low 32 bits of the tick of this cycle, and of the next.
  [[nodiscard]] u32 now() const { return now_; }
  [[nodiscard]] u32 next_cycle() const { return now_ + scale_.cycle_ticks; }
  /// Ticks of link time for which the far queue of an output is occupied.
  [[nodiscard]] virtual u32 occupied_ticks(u32 output) const = 0;
  /// Free space of an input queue of this router.
  [[nodiscard]] virtual u32 local_space_ticks(u32 input) const = 0;

  /// Whether the far queue of an output has free space for so many packets.
  [[nodiscard]] bool far_space(u32 output, u32 packets) const {
    if (packets <= 1 || !space(output)) return space(output);
    return occupied_ticks(output) + packets * packet_ticks() <= queue_packets() * packet_ticks();
  }
  /// An element of `set` with free space, also one that others hold, each with the same chance; `none` if there is no
  /// free space.
  [[nodiscard]] u32 random_with_space(const OutputSet& set, u64 bits) const;
  /// The element of `set` with most free space, the lowest of several, also one that others hold; `none` if there is no
  /// free space.
  [[nodiscard]] u32 emptiest(const OutputSet& set) const;
  /// An element of `set` with most free space, ties at random, also one that others hold; `none` if all are full.
  [[nodiscard]] u32 emptiest(const OutputSet& set, u64 bits) const;
  /// Whether this router's own queue of the same number as an output has free space for so many packets.
  [[nodiscard]] bool near_space(u32 output, u32 packets) const {
    return packets == 0 || local_space_ticks(output) >= packets * packet_ticks();
  }
  /// Whether the conditions of the escape output hold, apart from its being free.
  [[nodiscard]] bool may_escape(const Candidates& candidates) const;

  static constexpr u32 none = Candidates::none;

 private:
  const u64* free_;
  const u64* space_;
  u32 now_;
  Scale scale_;
};

/// A routing: what all of them have; what some modes need besides is in the faces that it derives from. One object
/// serves all routers of a process and keeps nothing that changes: what a packet needs goes into its RouteState. Ports
/// are those of the Topology.
class Routing : public OccupancyChoice, public NumberedPaths, public InjectionHints {
 public:
  virtual ~Routing() = default;

  /// Sets a new packet's state at its source; `bits` are random, the same for the packet whoever simulates it.
  virtual void begin(RouteState& /*state*/, NodeId /*from*/, NodeId /*to*/, u64 /*bits*/) const {}
  /// How many states `begin_as` lists: all that `begin` can draw for a pair of nodes, some perhaps twice. 0: it draws
  /// from more than are worth a list.
  [[nodiscard]] virtual u32 beginnings(NodeId /*from*/, NodeId /*to*/) const { return 0; }
  /// Sets a new packet's state to one of them.
  virtual void begin_as(RouteState& state, NodeId from, NodeId to, u32 number) const { begin(state, from, to, number); }
  /// Where a packet that has become first in a queue may go. `candidates.outputs` comes empty.
  virtual Verdict route(const QueuePlace& at, const PacketOnRoute& packet, Candidates& candidates) const = 0;
  /// Asks for one of the candidates, or for none (RouterView::none) in this cycle. Called in every cycle in which one
  /// of them is open, or (`tries_held`) has free space. An answer that is not open is a request in vain. `memory` is
  /// kept from cycle to cycle. Default: any with free space; the escape output if there is none.
  virtual u32 request(const RouterView& router, const Candidates& candidates, u32& memory, u64 bits) const;
  /// Whether requests for outputs that others hold matter, as they change `memory`.
  [[nodiscard]] virtual bool tries_held() const { return false; }
  /// Whether `route` looks at where a packet comes from. Who says that it does not spares the search for deadlock
  /// (channel_search.hpp) from telling packets apart by that.
  [[nodiscard]] virtual bool goes_by_source() const { return true; }
  /// Whether packets of a node may take these routes. Where traffic classes have routes of their own, packets are only
  /// of classes whose routes serve their source; the search for deadlock leaves out the others.
  [[nodiscard]] virtual bool serves(NodeId /*from*/) const { return true; }
  /// The packet goes on through an output; changes its state.
  virtual void leave(RouteState& /*state*/, const QueuePlace& /*at*/, u32 /*port*/, u32 /*channel*/) const {}

  /// Channels of the link between a node and its router that a packet may take, on its way in or out: the first, and
  /// how many.
  struct Channels {
    u32 first = 0, count = ~u32{0};  ///< as many as there are
  };
  [[nodiscard]] virtual Channels node_link_channels(const RouteState& /*state*/, bool /*to_node*/) const { return {}; }

  /// Between runs: makes new tables for a network of the same routers and nodes some of whose links work. False if it
  /// has no tables, or keeps them. Throws ConfigError if there are none.
  virtual bool follow(const Topology& /*left*/) { return false; }
  /// Where all that `route` offers has failed, as is known at this router and nowhere else: other outputs, if there are
  /// such, which lead on by the routes of the routers behind them.
  virtual void add_alternatives(const QueuePlace& /*at*/, const PacketOnRoute& /*packet*/,
                                Candidates& /*candidates*/) const {}
  /// The packets that can come to wait for one another in a cycle between the routes before and after the last
  /// `follow`, a line for each; empty: none, or not known.
  [[nodiscard]] virtual std::string loop_in_transition() const { return {}; }
  /// Whether `route` leads round all that has failed as `follow` was told last, and says `dropped` where nothing does:
  /// nobody has to look ahead.
  [[nodiscard]] virtual bool leads_round_failures() const { return false; }

  /// The service level of a packet, where routes go by them.
  [[nodiscard]] virtual u32 service_level(const RouteState& /*state*/) const { return 0; }
};

}  // namespace weft::models
