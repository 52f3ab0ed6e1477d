// Distributions fitted to a trace: what independent sources need so that their packets look like those of an
// application.
#pragma once

#include <map>
#include <memory>

#include "workloads/trace/store/trace_store.hpp"

namespace weft::workloads {

/// How messages become packets, and times cycles.
struct FitSpec {
  u32 packet_phits = 16, header_phits = 0, phit_bytes = 4;  ///< of a whole packet; header_phits < packet_phits
  double cycle_ns = 1;
};

/// What the tasks of a trace sent, in the mean over all of them.
struct TraceFit {
  u64 messages = 0, packets = 0, phits = 0;
  std::map<u64, u64> gaps;     ///< [cycles] from one packet of a task to its next: how many
  std::map<u64, u64> lengths;  ///< [phits] of packets: how many
  std::map<u64, u64> sizes;    ///< [bytes] of messages, 0 where the trace does not say it: how many
  std::map<u64, u64> bursts;   ///< [packets] that a task sends from one wait for others to its next: how many
  u32 tasks = 0, senders = 0;
  bool has_times = false;  ///< else gaps are of computing alone, as far as the trace has it
};

/// The size of bursts that models the synchronisation of the application: "a burst represents a phase of intensive
/// packet interchanges followed by synchronization primitives" (Ridruejo et al., PDCAT 2007, section 5): packets that
/// the burst of a packet has, in the mean over all packets; 0 if there are none.
[[nodiscard]] double burst_packets(const TraceFit& fit);

/// The gaps, lengths and sizes of the messages of all tasks. A message of b bytes has as many packets as carry it, at
/// least one; the first of them comes when the send began, in whole cycles rounded to the nearest, the others one a
/// cycle. A packet is a cycle or more behind the one before.
[[nodiscard]] TraceFit fit_of(const std::shared_ptr<const TraceStore>& store, const FitSpec& spec);

}  // namespace weft::workloads
