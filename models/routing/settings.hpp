// Settings of the router model: sizes, latencies in ticks, policies. Immutable during a run.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "engine/base/parameters.hpp"
#include "engine/base/types.hpp"

namespace weft::models {

class LiveFaults;

enum class Arbitration : u8 { round_robin, random, fifo, longest, age, age_in_network, highest };
enum class InjectionPolicy : u8 { shortest, dor, dor_shortest, shortest_profitable, longest_path };

/// Parameters of every router of a run.
struct RouterSettings {
  u64 seed = 1;
  u32 virtual_channels = 1;  ///< of a link, for each traffic class
  u32 traffic_classes = 1;   ///< of kinds that know several; filled in by RouterKind::resolve
  /// Virtual channels of a link, of all traffic classes together.
  [[nodiscard]] u32 link_channels() const { return traffic_classes * virtual_channels; }
  u32 queue_packets = 4;  ///< per transit queue
  u32 injection_queues = 1;
  u32 injection_capacity = 12;  ///< packets per injection port: the router's queue and the NIC's buffer behind it
  Tick injection_timeout_ticks =
      0;  ///< a packet that has been first in its injection queue for so long is dropped; 0: none
  u32 packet_phits = 16;
  u32 phit_bytes = 4;      ///< of machines whose times go by bytes
  Tick cycle_ticks = 1;    ///< ticks a phit takes on a link
  Tick packet_ticks = 16;  ///< ticks a packet takes on a link
  Tick link_ticks = 1;     ///< link latency: a phit that leaves at t is seen by the next router at t + link_ticks
  std::vector<Tick> class_link_ticks;  ///< the same of links of each class of the topology; empty: all have link_ticks
  std::vector<Tick> class_cell_ticks;  ///< ticks a phit takes on links of each class; empty: cycle_ticks on all
  Tick switch_ticks = 0;               ///< extra delay of a header before it may request an output
  Arbitration arbitration = Arbitration::random;
  std::string kind;            ///< of router, see RouterRegistry
  std::string mode;            ///< routing algorithm, one of its kind's (RouterKind::modes); empty: the first of them
  Parameters congestion = {};  ///< of table [congestion], of kinds that control it
  Parameters own;              ///< what its kind declares besides (RouterKind::settings), by name without the table
  InjectionPolicy injection = InjectionPolicy::shortest;
  bool multiple_consumption = false;
  u32 local_buffer_packets = 0;  ///< LBR: free space wanted in this router's adaptive queue to inject into that channel
  u64 transit_priority = 0;      ///< IPR: probability P scaled to 2^64 - 1

  /// router.bubble_packets, of routers that declare it.
  [[nodiscard]] u32 bubble_packets() const {
    return own.has("bubble_packets") ? static_cast<u32>(own.integer("bubble_packets")) : 2;
  }
  /// Packets at most that have begun to leave for a queue and are not there yet.
  [[nodiscard]] u64 packets_on_wire() const {
    Tick longest = link_ticks;
    for (const Tick ticks : class_link_ticks) longest = std::max(longest, ticks);
    return (longest + switch_ticks + packet_ticks - 1) / packet_ticks;
  }
  /// Latency of links of a class, see Topology::link_classes.
  [[nodiscard]] u32 link_ticks_of(u32 link_class) const {
    return static_cast<u32>(link_class < class_link_ticks.size() ? class_link_ticks[link_class] : link_ticks);
  }

  /// Ticks that a phit takes on links of a class; other than cycle_ticks in routers with RouterKind::any_rate only.
  [[nodiscard]] u32 cell_ticks_of(u32 link_class) const {
    return static_cast<u32>(link_class < class_cell_ticks.size() ? class_cell_ticks[link_class] : cycle_ticks);
  }
  /// Latency of the longest link.
  [[nodiscard]] Tick longest_link_ticks() const {
    Tick longest = link_ticks;
    for (const Tick ticks : class_link_ticks) longest = std::max<Tick>(longest, ticks);
    return longest;
  }
  /// Most ticks that a packet takes on any link.
  [[nodiscard]] Tick longest_packet_ticks() const {
    Tick slowest = cycle_ticks;
    for (const Tick ticks : class_cell_ticks) slowest = std::max(slowest, ticks);
    return slowest * packet_phits;
  }

  bool faults = false;                      ///< parts have failed or will: routers run as plain ones
  const LiveFaults* live_faults = nullptr;  ///< what fails and comes back during the run; null: nothing does
  bool every_cycle = false;  ///< for tests: waiting packets are looked at in every cycle, whatever is known of them
};

}  // namespace weft::models
