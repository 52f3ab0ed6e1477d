// Networks with scripted traffic, for the tests of the network and router models: packets go in at given ticks, and
// what comes out is recorded. The network model is compiled with them in scripted_*.cpp, a file for each policy.
#pragma once

#include <compare>
#include <functional>
#include <string>
#include <vector>

#include "engine/digest.hpp"
#include "engine/partition.hpp"
#include "engine/protocol.hpp"
#include "models/faults/live_faults.hpp"
#include "models/machine/packets/network.hpp"
#include "models/topology/topology.hpp"

namespace weft::models::testing {

/// A packet to be put into the network. If the injection queue is full it waits, and later ones of its node behind it.
struct Send {
  Tick tick = 0;
  u32 from = 0, to = 0;
  u32 cells = 0;  ///< length, in networks with packets of any; 0: the longest
};

/// Length of packets where any would do.
constexpr u32 usual_phits = 16;

/// A packet that came out: `at` is the cycle in which its last phit was consumed, `generated` when the NIC took it.
struct Delivery {
  Tick at = 0;
  u32 from = 0, to = 0;
  Tick generated = 0;
  friend auto operator<=>(const Delivery&, const Delivery&) = default;
};

/// A packet that is wholly or partly in a queue of a link.
struct Queued {
  u32 entity = 0;                ///< global number of the router or NIC
  u32 through = 0, channel = 0;  ///< port that it came through, virtual channel
  u32 from = 0, to = 0;
  Tick generated = 0;
  bool leaving = false;  ///< its header has left the queue
};

/// A network of one part between two ticks.
class Probe {
 public:
  virtual ~Probe() = default;
  /// The tick that is done.
  [[nodiscard]] virtual Tick tick() const = 0;
  /// Throws Bug.
  virtual void check_conservation() const = 0;
  virtual void for_each_queued(const std::function<void(const Queued&)>& f) const = 0;
  [[nodiscard]] virtual u32 channels(u32 router) const = 0;
  /// Cells in the buffer of an input, in networks whose buffers hold parts of packets.
  [[nodiscard]] virtual u32 buffered(u32 router, u32 input) const = 0;
  /// Makes a mistake, through save and load: `by` more packets than there are behind an output of a router, or in an
  /// input.
  virtual void miscount_output(u32 router, u32 output, int by) = 0;
  virtual void miscount_input(u32 router, u32 input, int by) = 0;
};

/// A network and how it is to be run. `router.kind` may be empty: the usual one of the topology.
struct Case {
  TopologySpec topology;
  RouterSettings router;
  Tick until = never;                    ///< ticks to run, from 0 on
  Tick start = 0;                        ///< first tick; the ticks of the script and of the result count from there
  std::vector<u32> part_of_router = {};  ///< empty = one part
  u32 parts = 1;                         ///< each part is a thread
  engine::Protocol protocol = engine::Protocol::windowed;  ///< of several parts
  bool inject_in_act = false;  ///< the host injects in the kernel's second phase instead of the first
  bool sized = false;  ///< the policy that is compiled for these dimensions and channels, see scripted_bubble_*.cpp
  LiveFaults* faults = nullptr;  ///< that router.live_faults points to, of a run with each_tick; null: nothing fails
  std::function<void(Probe&)> each_tick = {};  ///< called when a tick is done, of every tick up to the end
};

struct Result {
  bool exhausted = false;            ///< no event was left
  bool drained = false;              ///< all went in and came out, and check_drained() found nothing
  std::vector<Delivery> deliveries;  ///< by time
  Counters counters;                 ///< sums over the parts
  InFlight in_flight;                ///< at the end, sums over the parts; the oldest of all
  u32 distance_max = 0;
  engine::Digest digest;
  std::vector<Blocked> blocked;
  u64 not_accepted = 0;  ///< packets of the script that never found free space in an injection queue
  u64 wheel_events = 0, acts = 0;
  u64 bytes = 0;  ///< of the blocks of routers and NICs
};

[[nodiscard]] Result run_script(const Case& setup, const std::vector<Send>& script);

/// The router of a setup: settings.kind, or the usual one of the topology.
[[nodiscard]] std::string router_of(const Case& setup);
/// The settings that a setup is run with: the kind of router filled in.
[[nodiscard]] RouterSettings settings_of(const Case& setup);
/// The routing algorithms of the usual router of a topology that it has loops of its own for, with so many virtual
/// channels.
[[nodiscard]] std::vector<std::string> fast_modes(const TopologySpec& topology, u32 channels = 3);

[[nodiscard]] TopologySpec mesh(std::vector<i64> dims);
[[nodiscard]] TopologySpec torus(std::vector<i64> dims);
[[nodiscard]] TopologySpec tree(i64 arity, i64 levels);
[[nodiscard]] TopologySpec thin_tree(i64 down, i64 up, i64 levels);
[[nodiscard]] TopologySpec crossbar(i64 nodes);

/// Settings for packets of so many phits; one tick a cycle unless said otherwise.
[[nodiscard]] RouterSettings packets_of(u32 phits, Tick link_ticks = 1, Tick switch_ticks = 0, Tick cycle_ticks = 1);

/// `per_node` packets from every node to random other nodes at random ticks below `span`.
[[nodiscard]] std::vector<Send> random_traffic(u32 nodes, u32 per_node, Tick span, u64 seed);

/// Packets for uniformly drawn nodes at a load in phits per node and cycle, until tick `span`; at most one a node and
/// tick.
[[nodiscard]] std::vector<Send> steady_traffic(u32 nodes, double load, const RouterSettings& timing, Tick span,
                                               u64 seed);

/// Times of the deliveries at `to`, ascending.
[[nodiscard]] std::vector<Tick> times_at(const Result& result, u32 to);
/// Sources of the packets delivered at `to`, in order of delivery.
[[nodiscard]] std::vector<u32> sources_at(const Result& result, u32 to);

/// Name of a setup for the messages of failing tests.
[[nodiscard]] std::string describe(const Case& setup);

}  // namespace weft::models::testing
