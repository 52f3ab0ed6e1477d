// Everything a finished run says about itself: filled on rank 0, then written as HDF5, JSON, a terminal summary, a report.
#pragma once

#include <string>
#include <vector>

#include "engine/types.hpp"

namespace weft::tools {

/// One measured interval: a row of the time series, or a batch.
struct IntervalRow {
  Tick begin = 0, end = 0;   ///< ticks [begin, end)
  double injected_load = 0;  ///< phits/node/cycle
  double accepted_load = 0;  ///< phits/node/cycle
  double latency_mean = 0;   ///< cycles, from generation; 0 if nothing was delivered
  u64 delivered_packets = 0;
};

/// One bin of the latency histogram: latencies in [low, high) cycles.
struct HistogramBin {
  double low = 0, high = 0;
  u64 packets = 0;
};

/// Of the process that came to the end: a run that went on from a checkpoint counts from RunResult::resumed_cycles on.
struct EngineCounters {
  u64 events = 0, packet_hops = 0;
  u64 windows = 0, exchanges = 0;              ///< stretches between talks (most of a rank); agreements of all ranks
  u64 remote_messages = 0, null_messages = 0;  ///< events between ranks; messages between ranks without an event
  double wall_s = 0, setup_s = 0;              ///< event loop, set-up
  std::vector<double> cpu_s;                   ///< user CPU seconds of the event loop, [rank]
  std::vector<double> blocked_s;               ///< waiting for other ranks, [rank]
  std::vector<double> exchange_s;              ///< handing parcels over and taking them in, [rank]
  std::vector<u64> rss_bytes;                  ///< resident set at the end of the event loop, [rank]
  std::vector<u64> rank_events;                ///< [rank]
  u64 bytes_per_node = 0;                      ///< growth of the resident set from program start, over nodes
  Tick lookahead_cycles = 0;
  std::string protocol, partition;
  u64 edge_cut = 0;                           ///< links between ranks
  u64 checkpoints = 0, checkpoint_bytes = 0;  ///< written in this part of the run; size of the last one
  double checkpoint_s = 0;                    ///< spent on them, part of wall_s
  u64 rebalances = 0;                         ///< times that the routers were shared out anew in between
  double balance = 1;                         ///< largest rank's routers over the mean
};

struct RunResult {
  std::string version, config_json, config_toml, host, started_at;  ///< started_at: ISO 8601 UTC
  u64 seed = 0;
  u32 ranks = 1;
  std::string digest;  ///< 32 hex digits
  std::string topology_name, router_name, workload_name;
  u64 nodes = 0, routers = 0;
  Tick cycles = 0;          ///< simulated length, in cycles
  Tick resumed_cycles = 0;  ///< cycle of the checkpoint that this part of the run went on from; 0 = from the start
  double cycle_ns = 0;      ///< 0 if a cycle has no real length
  std::string stop_reason;
  u64 packets_generated = 0, packets_injected = 0, packets_delivered = 0, packets_dropped = 0, packets_in_flight = 0;
  u64 packets_dropped_at_source = 0;  ///< those of packets_dropped that were never injected
  u64 messages_sent = 0, messages_delivered = 0;
  u64 hops = 0;
  bool measured = false;  ///< loads and latency are over the batches, not the whole run
  double load_offered = 0, load_injected = 0, load_accepted = 0, load_accepted_stddev = 0;  ///< phits/node/cycle
  double latency_mean = 0, latency_stddev = 0, latency_max = 0, latency_p50 = 0, latency_p99 = 0,
         latency_network_mean = 0;
  double distance_mean = 0, distance_max = 0;  ///< links of the delivered packets' routes
  std::vector<IntervalRow> intervals, batches;
  std::vector<HistogramBin> latency_histogram;
  std::vector<u64> node_injected, node_delivered;  ///< packets over the whole run, [node]; empty above 65,536 nodes
  std::vector<double> task_finish_cycles;          ///< [task]; empty without tasks
  std::vector<double> burst_cycles;                ///< [burst]; empty without bursts
  std::vector<std::string> warnings;
  EngineCounters engine;
};

}  // namespace weft::tools
