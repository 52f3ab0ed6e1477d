// What the router model is told: sizes, latencies in ticks, policies. Immutable during a run.
#pragma once

#include "engine/types.hpp"

namespace weft::models {

enum class Arbitration : u8 { round_robin, random, fifo, longest, age };
enum class BubbleRequest : u8 { oblivious, random, shortest, smart };
enum class TreeRequest : u8 { fixed, adaptive };  ///< INSEE calls the fixed one static
/// How a tree router breaks ties between channels with equal credits. `first_counts_twice` is INSEE's arithmetic: the first of
/// the equal channels is entered twice in the list that is drawn from. For comparisons only.
enum class CreditTies : u8 { uniform, first_counts_twice };
enum class InjectionPolicy : u8 { shortest, dor, dor_shortest, shortest_profitable, longest_path };

/// Parameters of every router of a run.
struct RouterSettings {
  u64 seed = 1;
  u32 virtual_channels = 1;
  u32 queue_packets = 4;  ///< per transit queue
  u32 injection_queues = 1;
  u32 injection_capacity = 12;  ///< packets per injection port: the router's queue and the NIC's buffer behind it
  u32 packet_phits = 16;
  Tick cycle_ticks = 1;    ///< ticks a phit takes on a link
  Tick packet_ticks = 16;  ///< ticks a packet takes on a link
  Tick link_ticks = 1;     ///< link latency: a phit that leaves at t is seen by the next router at t + link_ticks
  Tick switch_ticks = 0;   ///< extra delay of a header before it may request an output
  Arbitration arbitration = Arbitration::random;
  BubbleRequest bubble_request = BubbleRequest::shortest;
  TreeRequest tree_request = TreeRequest::adaptive;
  CreditTies credit_ties = CreditTies::uniform;
  InjectionPolicy injection = InjectionPolicy::shortest;
  bool multiple_consumption = false;
  u32 bubble_packets = 2;        ///< room wanted in this router's queue to enter an escape ring
  u32 local_buffer_packets = 0;  ///< LBR: room wanted in this router's adaptive queue to inject into that channel
  u64 transit_priority = 0;      ///< IPR: probability P scaled to 2^64 - 1
  bool every_cycle = false;      ///< for tests: waiting packets are looked at in every cycle, whatever is known of them
};

}  // namespace weft::models
