// Counters of one process in integers, so that sums over processes do not depend on their number or order.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <compare>
#include <string>
#include <vector>

#include "engine/base/types.hpp"

namespace weft::models {

/// Latency histogram with 16 bins per octave (relative width at most 1/16), in ticks.
class LatencyHistogram {
 public:
  static constexpr u32 bins = 16 + 37 * 16;
  static u32 bin_of(Tick latency) {
    if (latency < 16) return static_cast<u32>(latency);
    const u32 octave = static_cast<u32>(std::bit_width(latency)) - 5;
    return std::min(bins - 1, 16 + octave * 16 + static_cast<u32>((latency >> octave) & 15));
  }
  /// Smallest latency of a bin.
  static Tick low_edge(u32 bin) {
    if (bin < 16) return bin;
    const u32 octave = (bin - 16) / 16;
    return (Tick{16} + (bin - 16) % 16) << octave;
  }
  void add(Tick latency) { ++counts_[bin_of(latency)]; }
  [[nodiscard]] std::array<u64, bins>& counts() { return counts_; }
  [[nodiscard]] const std::array<u64, bins>& counts() const { return counts_; }

 private:
  std::array<u64, bins> counts_{};
};

/// Traffic classes of packets that are counted apart.
inline constexpr u32 most_traffic_classes = 8;

/// What is counted of a traffic class.
struct ClassCounts {
  u64 generated = 0, injected = 0, delivered = 0;  ///< packets
  u64 delivered_cells = 0;
  u64 latency = 0;  ///< sum over delivered packets, ticks from generation
  void deliver(u32 cells, Tick ticks) {
    ++delivered;
    delivered_cells += cells;
    latency += ticks;
  }
};

/// What is counted of NICs that choose routes (models/nic).
struct RouteCounts {
  u64 out_of_order = 0;  ///< packets that came after one of the same node that was sent later
  u64 stopped = 0;       ///< packets during which, or before, flow control held their NIC up
  u64 rerouted = 0;      ///< times that a destination got another route; those of each packet at random left out
  u64 forced = 0;        ///< of them, after probes in vain
  u64 probes = 0;        ///< made
  u64 fetched = 0;       ///< routes that NICs had to ask their hosts for
};

/// What a process counts: sums, each a u64, so that all together are `sums` words in the order of their declaration.
struct Counters {
  u64 generated = 0;  ///< packets accepted by NICs
  u64 injected = 0;   ///< packets whose header left the injection queue
  u64 delivered = 0;  ///< packets consumed whole
  u64 messages_sent = 0, messages_delivered = 0;
  u64 link_starts = 0;  ///< traversals of links between routers, and of node links in indirect networks
  u64 packet_hops = 0;  ///< all link traversals begun, injection and ejection included
  u64 hops = 0;         ///< router-to-router links on the routes of the delivered packets
  u64 distance = 0;     ///< links on the routes of the delivered packets (INSEE's convention)
  u64 latency = 0;      ///< sum over delivered packets, ticks from generation
  u64 wait = 0;         ///< sum over injected packets, ticks from generation to injection
  /// Ticks of deliveries less ticks of injections, modulo 2^64: the time that packets have spent in the network by tick
  /// t is this plus t for each packet that is in it; see `time_in_network`.
  u64 network_time = 0;
  std::array<u64, 4> latency_squares{};  ///< sum of squares in 32-bit limbs
  u64 dropped = 0;                       ///< packets that a rule of the model took out
  u64 dropped_at_source = 0;             ///< those of them that never left their injection queue
  u64 dropped_to_failed = 0;             ///< those of them whose destination has failed
  u64 dropped_at_full_nic = 0;           ///< those of them that were lost at their source, whose NIC was full
  u64 dropped_at_head = 0;               ///< those of them that waited too long at the head of their injection queue
  u64 dropped_in_failures = 0;           ///< those of them that were on a link, or in a router, that failed
  u64 copies = 0;                        ///< packets that routers made out of one, without that one: of multicast
  u64 combined = 0;                      ///< packets that switches put into another: of in-network reduction
  // Only in machines with packets of any length (RouterKind::any_length); 0 in others.
  u64 generated_cells = 0, injected_cells = 0, delivered_cells = 0;  ///< cells of those packets
  u64 link_busy = 0;                                                 ///< ticks of all link_starts together
  u64 marked = 0, notifications = 0;  ///< of congestion control: packets delivered with a mark; sources notified
  /// Ticks that sources have stood still, for want of free space at their NIC, modulo 2^64 and as in `network_time`:
  /// less the ticks at which those stopped that still do, whose number `sources_held` is; see `time_sources_held`.
  u64 source_hold = 0, sources_held = 0;
  /// Ticks of each cell apart, in the same machines, without what its place in its packet is behind the first:
  /// cells * ticks from generation, over delivered packets; from generation to injection, over injected ones.
  u64 cell_latency = 0, cell_wait = 0;
  /// How many cells come before each cell in its packet, in all: n (n - 1) / 2 for n cells.
  u64 delivered_cell_places = 0, injected_cell_places = 0;
  u64 router_busy = 0;  ///< ticks in which routers send something on, each once: of switches of cells
  RouteCounts routes = {};
  std::array<ClassCounts, most_traffic_classes> classes{};  ///< of machines that know several, where there are several
  static constexpr u32 sums = 37 + (sizeof(routes) + sizeof(classes)) / sizeof(u64);

  void add_latency(Tick ticks) {
    latency += ticks;
    u128 square = static_cast<u128>(ticks) * ticks;
    for (u64& limb : latency_squares) {
      limb += static_cast<u32>(square);
      square >>= 32;
    }
  }
  [[nodiscard]] std::array<u64, sums> words() const { return std::bit_cast<std::array<u64, sums>>(*this); }
  static Counters from(const std::array<u64, sums>& words) { return std::bit_cast<Counters>(words); }
  [[nodiscard]] double latency_square_sum() const {
    double sum = 0, scale = 1;
    for (const u64 limb : latency_squares) {
      sum += static_cast<double>(limb) * scale;
      scale *= 0x1p32;
    }
    return sum;
  }
  /// Packets whose header has left the injection queue and whose tail is not consumed.
  [[nodiscard]] u64 in_network() const {
    return injected + copies - combined - delivered - (dropped - dropped_at_source);
  }
  /// Generated packets of which nothing more is to come; less the copies that are still in flight (modulo 2^64).
  [[nodiscard]] u64 gone() const { return delivered + dropped + combined - copies; }
  /// Ticks that all packets together have spent in the network before tick `now`; of counts from the start of a run.
  [[nodiscard]] u64 time_in_network(Tick now) const { return network_time + in_network() * now; }
  /// Ticks that all sources together have stood still before tick `now`; of counts from the start of a run.
  [[nodiscard]] u64 time_sources_held(Tick now) const { return source_hold + sources_held * now; }
  friend Counters operator-(const Counters& a, const Counters& b) {
    auto x = a.words();
    const auto y = b.words();
    for (u32 i = 0; i < sums; ++i) x[i] -= y[i];
    return from(x);
  }
};

/// The first packet that was dropped though its destination works, of those of one tick that of the lowest router.
struct FirstDrop {
  u64 tick = ~u64{0};
  u32 entity = 0, from = 0, to = 0;  ///< global entity; nodes
  u32 unused = 0;
  void note(u64 when, u32 where, u32 source, u32 destination) {
    *this = std::min(*this, FirstDrop{when, where, source, destination});
  }
  friend auto operator<=>(const FirstDrop&, const FirstDrop&) = default;
};

/// What an event of a part that fails, or comes back, has cost (FaultSchedule::events).
struct FaultCost {
  u64 lost = 0;      ///< packets
  u64 rerouted = 0;  ///< that waited and were given another way when routers knew of it
  Tick last_loss = 0;
};

/// Owner of packets that are nobody's; see Statistics::dropped_of.
inline constexpr u32 no_owner = ~u32{0};

struct Statistics {
  Counters counters;
  LatencyHistogram histogram;  ///< of packets delivered since `measure_from`
  Tick latency_max = 0;        ///< likewise
  u32 distance_max = 0;
  Tick last_delivery = 0;
  Tick last_reroute = 0;  ///< when a NIC that chooses routes last took another for a destination; 0: never
  FirstDrop first_drop;
  std::string transition_loop = {};    ///< the first that old and new routes together can close, the same on all ranks
  Tick transition_at = 0;              ///< when those were made
  std::vector<FaultCost> fault_costs;  ///< [event of the run's faults]; as long as needed
  FaultCost& fault_cost(u32 event) {
    if (fault_costs.size() <= event) fault_costs.resize(std::size_t{event} + 1);
    return fault_costs[event];
  }
  std::vector<u64> dropped_of;  ///< [owner] dropped packets, of hosts that say whose a packet is; as long as needed
};

}  // namespace weft::models
