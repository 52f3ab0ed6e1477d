// A result with every field set to a value of its own: shared by the tests of result files.
#pragma once

#include <cmath>
#include <gtest/gtest.h>
#include <string>

#include "tools/result/run_result.hpp"

namespace weft::tools {

inline RunResult sample_result() {
  RunResult r;
  r.version = "0.1.0";
  r.config_json =
      R"({"format": 1, "topology": {"kind": "torus", "dims": [8, 8, 8]}, "workload": {"offered_load": 0.3}})";
  r.config_toml = "format = 1\n[topology]\nkind = \"torus\"  # 8 < 9 & \"so on\"\n";
  r.host = "knoten-µ1";
  r.started_at = "2026-02-03T04:05:06Z";
  r.seed = 0xFFFFFFFFFFFFFFFFull;  // no double holds it
  r.ranks = 2;
  r.digest = "0123456789abcdef0123456789abcdef";
  r.topology_name = "8x8x8 torus";
  r.router_name = "bubble, shortest, 3 VCs";
  r.workload_name = "synthetic uniform";
  r.nodes = 512;
  r.routers = 513;
  r.cycles = 12345;
  r.cycle_ns = 2.5;
  r.stop_reason = "steady-state";
  r.counts.generated = 1001;
  r.counts.injected = 1000;
  r.counts.delivered = 900;
  r.counts.dropped = 3;
  r.counts.dropped_at_source = 2;
  r.counts.copies = 4;
  r.counts.combined = 6;
  r.packets_in_flight = 99;
  r.counts.messages_sent = 77;
  r.counts.messages_delivered = 66;
  r.counts.hops = 5432;
  r.measured = true;
  r.load_offered = 0.3;
  r.load_untaken_fraction = 0.03;
  r.load_growth = 0.001;
  r.packets_at_sources = 55;
  r.unbounded_sources = true;
  r.load_injected = 0.2995;
  r.load_accepted = 0.2994;
  r.load_accepted_stddev = 0.0011;
  r.load_accepted_ci95 = 0.0014;
  r.latency_mean_ci95 = 0.21;
  r.load_autocorrelation = -0.12;
  r.latency_autocorrelation = 0.15;
  r.converged = false;
  r.latency_mean = 37.43;
  r.latency_stddev = 12.1;
  r.latency_max = 140;
  r.latency_p50 = 35;
  r.latency_p90 = 60;
  r.latency_p99 = 88;
  r.latency_p999 = 128;
  r.latency_network_mean = 33.25;
  r.distance_mean = 6.02;
  r.distance_max = 12;
  for (u32 ix = 0; ix < 20; ++ix) {
    const double load = 0.3 * (1 - std::exp((ix + 1.0) / -3.0));
    r.intervals.push_back({ix * 500, (ix + 1) * 500, 0.3, load, 30 + 0.5 * ix, 4000 + ix});
  }
  for (u32 ix = 0; ix < 5; ++ix)
    r.batches.push_back({7500 + ix * 500, 8000 + ix * 500, 0.3, 0.299 + ix * 1e-4, 37, 4500});
  for (u32 ix = 0; ix < 30; ++ix) {
    const double low = 8 * std::pow(2, ix / 6.0);
    r.latency_histogram.push_back({low, 8 * std::pow(2, (ix + 1) / 6.0), u64{30} * ix * (29 - ix)});
  }
  for (u32 node = 0; node < 512; ++node) {
    r.node_injected.push_back(100 + node % 17);
    r.node_delivered.push_back(90 + node % 23);
  }
  for (u32 task = 0; task < 64; ++task) r.task_finish_cycles.push_back(9000 + 31.5 * task);
  r.burst_cycles = {1549, 1562.5, 1538};
  r.extra.series = {
      {0, 100, 0.1, 0.2, 0.5, 40.5, 1.5, 50, 30.5, 2.5, 41, 3.5, 14, 13, 11, 1, 12, 13, 11.5, 12.5},
      {100, 150, 0.3, 0.4, 0.75, 41.5, 1.25, 51, 31.5, 2.25, 42, 3.25, 17, 16, 14, 2, 15, 16, 14.5, 15.5}};
  r.extra.ports = {{1, 0, 0, 5, 0.0625}, {1, 0, 1, 9, 0.0625}, {2, 3, 2, 6, 0.25}};
  r.extra.nic_ports = {{7, 0, 1, 8, 0.5}};
  r.extra.busiest = {{"router 1, <port> 0", 14, 0.125}};
  r.extra.distances = {{2, 7, 8}, {5, 9, 10}};
  r.extra.pairs = {{3, 4, 5, 60.5, 6}};
  r.extra.queues = {{1, 2, 3, 0.5, 4}};
  r.extra.injection_queues = {{2, 0, 1, 1.5, 3}};
  r.extra.injection_latency = {19, 33.5, 4.5, 77};
  r.distance_stddev = 1.125;
  r.extra.occupancy = {{0, 1, 2}, {1, 3, 4}};
  r.extra.occupancy_samples = 5;
  r.extra.events_path = "events.txt";
  r.extra.events = 123;
  r.warnings = {"the load did not settle (tolerance 0.01); run longer", "", "größer & <b>bold</b>"};
  r.engine.events = 36'000'000;
  r.engine.packet_hops = 12'000'000;
  r.engine.windows = 12000;
  r.engine.exchanges = 12001;
  r.engine.remote_messages = 4321;
  r.engine.null_messages = 987;
  r.engine.wall_s = 3.25;
  r.engine.setup_s = 0.125;
  r.engine.cpu_s = {3.1, 3.2};
  r.engine.blocked_s = {0.1, 0.05};
  r.engine.exchange_s = {0.02, 0.03};
  r.engine.rss_bytes = {50'000'000, 51'000'000};
  r.engine.rank_events = {18'000'001, 17'999'999};
  r.engine.bytes_per_node = 640;
  r.engine.lookahead_cycles = 3;
  r.engine.protocol = "windowed";
  r.engine.partition = "metis";
  r.engine.edge_cut = 128;
  r.engine.balance = 1.03;
  r.engine.checkpoints = 2;
  r.engine.checkpoint_bytes = 123'456;
  r.engine.checkpoint_s = 0.0625;
  r.engine.rebalances = 1;
  return r;
}

/// One of three jobs.
inline RunResult sample_of_jobs() {
  RunResult r = sample_result();
  r.jobs = {{.name = "stencil",
             .tasks = 16,
             .start_cycle = 0,
             .finish_cycle = 2000,
             .repetitions = 1,
             .packets = 640,
             .messages = 64,
             .bytes = 40960,
             .latency_mean = 31.5,
             .latency_max = 90,
             .slowdown = 1.25},
            {.name = "shuffle", .tasks = 8, .start_cycle = 100},
            {.name = "noise", .tasks = 8, .background = true, .start_cycle = 345, .repetitions = 7, .bytes = 24000}};
  return r;
}

/// One of two seeds.
inline RunResult sample_of_seeds() {
  RunResult r = sample_result();
  r.seeds = {{1, "0123456789abcdef0123456789abcdef", 12345, true, 900, 0.3, 0.30, 0.001, 37, 0.2, 88, 6.1},
             {2, "fedcba9876543210fedcba9876543210", 13000, false, 901, 0.3, 0.31, 0.002, 39, 0.3, 90, 6.2}};
  r.seeds_load = {0.305, 0.007, 0.06};
  r.seeds_latency = {38, 1.5, 4.5};
  r.seeds_cycles = {12672.5, 463.2, 4161.5};
  return r;
}

/// A directory of its own, removed with what is in it.
}  // namespace weft::tools
