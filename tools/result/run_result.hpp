// Everything a finished run says about itself: filled on rank 0, then written as HDF5, JSON, a terminal summary, a
// report.
#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/types.hpp"
#include "models/core/statistics.hpp"
#include "workloads/program/placement/mapping.hpp"

namespace weft::tools {

/// In place of a figure that a run does not have.
inline constexpr double no_figure = std::numeric_limits<double>::quiet_NaN();

/// One measured interval: a row of the time series, or a batch.
struct IntervalRow {
  Tick begin = 0, end = 0;   ///< ticks [begin, end)
  double injected_load = 0;  ///< phits/node/cycle
  double accepted_load = 0;  ///< phits/node/cycle
  double latency_mean = 0;   ///< cycles, from generation; 0 if nothing was delivered
  u64 delivered_packets = 0;
};

/// What became of the packets of a traffic class: counts over the whole run, load and latency where those of all
/// packets are from.
struct ClassRow {
  u64 traffic_class = 0;
  bool rest = false;  ///< behind the others: packets of in-network reduction, which are of none of these
  u64 generated_packets = 0, injected_packets = 0, delivered_packets = 0;
  double accepted_load = 0;  ///< phits/node/cycle
  double latency_mean = 0;   ///< cycles, from generation; 0 if nothing was delivered
};

/// An event of a part that failed, came back or got another error rate during the run.
struct FaultRow {
  double cycle = 0;
  std::string part, state;  ///< "link r0:2", "router 5"; "down", "up", "error 0.001"
  u64 packets_lost = 0, rerouted = 0;
  double recovered_cycles = 0;  ///< from the event until the last packet was lost by it
};

/// Nodes that failures cut off from the largest part of the network for a time (models/faults/separations.hpp).
struct CutOffRow {
  double since_cycle = 0, until_cycle = no_figure;  ///< until: NaN if they were at the end of the run
  std::string nodes;                                ///< "4, 5", "0-15 and 13 more"
  u64 node_count = 0;
};

/// What became of one of several jobs.
struct JobRow {
  std::string name;
  u64 tasks = 0;
  bool background = false;  ///< it began anew until the others were over
  /// Cycle in which it began, and in which its last task was over and its last packet delivered; NaN if that was not
  /// before the end of the run.
  double start_cycle = no_figure, finish_cycle = no_figure;
  u64 repetitions = 0;  ///< times that all of its tasks were over
  u64 packets_generated = 0, packets_dropped = 0, messages_sent = 0;
  u64 packets = 0, messages = 0, bytes = 0;                  ///< delivered; bytes of messages
  double latency_mean = no_figure, latency_max = no_figure;  ///< of its packets, cycles from generation; NaN without
  double slowdown = no_figure;  ///< its duration over that when it has the network for itself; NaN if not asked for
  // Of a job that restarts: how often its state was saved, and how often one of its nodes failed; cycles in all that it
  // stood still for that, that it had computed since and did anew, waited for nodes, and restarted.
  u64 checkpoints = 0, failures = 0;
  double checkpoint_cycles = 0, lost_cycles = 0, waiting_cycles = 0, restart_cycles = 0;
  double bytes_per_cycle = no_figure;  ///< of its messages; NaN: by its time (RunResult::bytes_per_cycle)
  /// Cycles; NaN if it was not over.
  [[nodiscard]] double duration() const { return finish_cycle - start_cycle; }
};

/// Cycles in which tasks were over, of those that were.
struct TaskTimes {
  u64 finished = 0;
  double first = no_figure, mean = no_figure, last = no_figure;
};

/// What tasks with lanes did for one activity, all of them together.
struct ActivityRow {
  std::string name;
  bool communicates = false;
  double cycles = 0;            ///< of lane 0, waits for other lanes and for messages among them; mean over tasks
  double side_cycles = 0;       ///< of the other lanes, without their waits for others; mean over tasks
  u64 messages = 0, bytes = 0;  ///< sent
  u64 job = 0;                  ///< in RunResult::jobs; 0 without
  double bubble_cycles = 0;     ///< of `cycles`: waits that are there even where messages cost nothing
  double hidden_cycles = 0;     ///< of `side_cycles`: sends and receives while lane 0 computes
  bool outside = false;         ///< waits for times of the outside world
};

/// What a lane of a task did in an interval.
struct TimelineRow {
  u64 task = 0, lane = 0;
  u64 activity = 0;           ///< in RunResult::activities
  double begin = 0, end = 0;  ///< cycles
};

/// Bandwidths of one operation: bytes of a task by its time, and those of the links that they must go over.
struct BusBandwidth {
  double algorithm = no_figure, bus = no_figure;  ///< bytes/cycle
};

/// What the tasks of an exchange got: bytes of messages that a task received, by the cycle in which it was done.
struct ExchangeBandwidth {
  u64 tasks = 0;                                  ///< that receive something; 0: there was no exchange
  double mean = 0, stddev = 0, min = 0, max = 0;  ///< over them, bytes/cycle
  double link = 0;                                ///< bytes of messages that the link of a node carries in a cycle
};

/// Flows of some sizes that were delivered: completion times, from when a flow was to start to its last packet, and
/// slowdowns, that time over the time of the flow alone.
struct FlowRow {
  u64 least_bytes = 0, most_bytes = 0;  ///< of the class; all flows: of the smallest and the largest
  u64 flows = 0, bytes = 0;
  double fct_mean = 0, fct_p50 = 0, fct_p95 = 0, fct_p99 = 0, fct_max = 0;  ///< cycles
  double slowdown_mean = 0, slowdown_p50 = 0, slowdown_p95 = 0, slowdown_p99 = 0, slowdown_max = 0;
};

/// An endpoint outside of the simulation (`weft cosim`).
struct EndpointRow {
  u32 endpoint = 0;
  std::string name;
  bool ended = false;  ///< by itself
  u64 time_ns = 0;     ///< simulated: how far it came
  u64 idle_ns = 0;     ///< of that, when it said that it did nothing
  u64 instructions = 0;
  u64 slices = 0;  ///< in which it was let run
  u64 sent_messages = 0, sent_bytes = 0, received_messages = 0, received_bytes = 0;
  std::string said;  ///< its own last word, if it had one
};

/// What a run has to say of endpoints outside of the simulation.
struct CosimResult {
  std::string endpoints_are;
  u64 time_ns = 0;  ///< simulated: how far all came
  u64 slice_ns = 0, nic_latency_ns = 0;
  u64 slices = 0, skipped_slices = 0;      ///< executed; left out because nothing happened in them
  u64 late_messages = 0, late_ns_max = 0;  ///< that came later than they should, at the begin of the next slice
  double late_ns_mean = 0;                 ///< over all messages
  u64 messages = 0, lost_messages = 0;     ///< that came; of those, to endpoints that had ended
  double latency_ns_mean = 0;
  u64 latency_ns_max = 0;
  std::string payload_digest;  ///< of what came where, when, and of its bytes
  std::vector<EndpointRow> endpoints;
  // Said by this run, not by its file, which has stop_reason "endpoint-failed":
  std::string failure, failure_detail;  ///< what ran at an endpoint has failed, though all took their part to the end
};

/// One bin of the latency histogram: latencies in [low, high) cycles.
struct HistogramBin {
  double low = 0, high = 0;
  u64 packets = 0;
};

/// What a run does in statistics.series_cycles cycles.
struct SeriesRow {
  Tick begin = 0, end = 0;   ///< cycles [begin, end)
  double injected_load = 0;  ///< phits/node/cycle
  double accepted_load = 0;  ///< phits/node/cycle
  double utilisation = 0;    ///< fraction of the time that the mean link is taken
  /// Cycles, from generation, of the packets delivered; 0 if there are none.
  double latency_mean = 0, latency_stddev = 0, latency_max = 0;
  /// Likewise from injection; NaN if there are none, or it was not asked for.
  double network_latency_mean = no_figure, network_latency_stddev = no_figure, network_latency_max = no_figure;
  double distance_mean = 0;  ///< links on the routes of the packets delivered
  u64 generated_packets = 0, injected_packets = 0, delivered_packets = 0, dropped_packets = 0;
  u64 network_packets = 0, queued_packets = 0;               ///< at the end: in the network, in injection queues
  double network_packets_mean = 0, queued_packets_mean = 0;  ///< likewise, over the time
};

/// What packets took from injection to delivery, cycles.
struct InjectionLatency {
  u64 packets = 0;  ///< 0: it was not asked for
  double mean = no_figure, stddev = no_figure, max = no_figure;
};

/// A queue as it was seen by samples.
struct QueueRow {
  u64 owner = 0, port = 0, channel = 0;  ///< router; or node, and the number of its injection queue as the channel
  double packets_mean = 0;
  u64 packets_max = 0;
};

/// Packets that a channel of a link took in the whole run.
struct LinkRow {
  u64 owner = 0;  ///< router that sends; or node, of the links of NICs
  u64 port = 0, channel = 0, packets = 0;
  double utilisation = 0;  ///< fraction of the time
};

/// A link of a router among the busiest, all channels together.
struct BusyLink {
  std::string link;  ///< "router 12, dimension 0+"
  u64 packets = 0;
  double utilisation = 0;
};

/// Leaves those that were taken for most of the time, in that order; of equals those with most packets, then the first.
void keep_busiest(std::vector<BusyLink>& links);

struct DistanceRow {
  u64 links = 0, packets = 0;
  u64 injected_packets = 0;  ///< with so many links on a minimal route
};

/// Packets from a node to another.
struct PairRow {
  u64 source = 0, destination = 0, packets = 0;  ///< delivered
  double latency_mean = 0;                       ///< cycles, from generation; NaN if none was delivered
  u64 injected_packets = 0;
};

/// Queues that were seen with so many packets in them, added up over the samples.
struct OccupancyRow {
  u64 packets = 0, transit_queues = 0, injection_queues = 0;
};

/// What [statistics] asks for; empty where it does not.
struct ExtraStatistics {
  std::vector<SeriesRow> series;
  std::vector<LinkRow> ports, nic_ports;
  std::vector<BusyLink> busiest;  ///< longest taken first; all links, by place, of a run that is one of several seeds
  std::vector<DistanceRow> distances;
  std::vector<PairRow> pairs;  ///< by source, then destination
  std::vector<OccupancyRow> occupancy;
  u64 occupancy_samples = 0;
  std::vector<QueueRow> queues, injection_queues;
  InjectionLatency injection_latency;
  std::string events_path;
  u64 events = 0;  ///< lines of that file
};

/// Counts of the process that came to the end: a run that went on from a checkpoint counts from
/// RunResult::resumed_cycles on.
struct EngineCounters {
  u64 events = 0, packet_hops = 0;
  u64 windows = 0, exchanges = 0;              ///< stretches between talks (most of a rank); agreements of all ranks
  u64 remote_messages = 0, null_messages = 0;  ///< events between ranks; messages between ranks without an event
  double wall_s = 0, setup_s = 0;              ///< event loop, set-up
  std::vector<double> cpu_s;                   ///< user CPU seconds of the event loop, [rank]
  std::vector<double> blocked_s;               ///< waiting for other ranks, [rank]
  std::vector<double> exchange_s;              ///< sending and receiving the events that cross, [rank]
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

/// What several runs with different seeds found of one figure.
struct Spread {
  double mean = 0, stddev = 0, ci95 = 0;  ///< over seeds; half the 95 % confidence interval of the mean
  double ci = no_figure;                  ///< half the interval of RunResult::confidence_percent, if that is another
};

/// The run with one of several seeds.
struct SeedRow {
  u64 seed = 0;
  std::string digest;
  Tick cycles = 0;
  bool converged = true;
  u64 packets_delivered = 0;
  double load_injected = 0, load_accepted = 0, load_accepted_ci95 = no_figure;  ///< phits/node/cycle
  double latency_mean = 0, latency_mean_ci95 = no_figure, latency_p99 = 0;      ///< cycles
  double distance_mean = 0;                                                     ///< links
};

struct RunResult {
  std::string version, config_json, config_toml, host, started_at;  ///< started_at: ISO 8601 UTC
  u64 seed = 0;
  u32 ranks = 1;
  std::string digest;  ///< 32 hex digits
  std::string topology_name, router_name, workload_name;
  std::string
      deadlock_search;         ///< how far routes were searched for deadlock: "all routes", "off", or what was left out
  std::string fabric_verdict;  ///< of a fabric that a file describes: "sound", "works" or "broken"; else empty
  u64 nodes = 0, routers = 0;
  Tick cycles = 0;          ///< simulated length, in cycles
  Tick resumed_cycles = 0;  ///< cycle of the checkpoint that this part of the run went on from; 0 = from the start
  double cycle_ns = 0;      ///< 0 if a cycle has no real length
  /// MiB/s of a bandwidth in bytes/cycle; NaN if a cycle has no real length.
  [[nodiscard]] double mib_per_s(double bytes_per_cycle) const {
    return cycle_ns > 0 ? bytes_per_cycle / cycle_ns * 1e9 / (1 << 20) : no_figure;
  }
  std::string stop_reason;
  models::Counters counts;  ///< over the whole run: those that run_figures.cpp has a row for
  u64 packets_in_flight = 0;
  bool marks = false;           ///< switches mark packets (congestion.kind)
  bool chooses_routes = false;  ///< NICs do (nic.dispersion)
  std::optional<CosimResult> cosim;
  std::vector<FlowRow> flows;       ///< of all flows, then of each class of sizes; empty without flows
  std::vector<ClassRow> classes;    ///< [traffic class]; empty unless there are several
  std::vector<FaultRow> faults;     ///< what failed and came back until the end of the run
  std::vector<CutOffRow> cut_off;   ///< who was cut off, the first of them
  u64 cut_offs = 0;                 ///< all of them
  double availability = no_figure;  ///< share of the time that parts that fail or come back work; NaN without any
  bool measured = false;            ///< loads and latency are over the batches, not the whole run
  bool converged = true;  ///< of a measured run: the steady state was found, and the rules of measure.method are met
  /// Share of what the sources were to generate that the NICs have not taken: the time that sources stood still because
  /// their NIC was full, or what unbounded queues at sources grew by. NaN of other workloads than synthetic traffic.
  double load_untaken_fraction = no_figure;
  bool unbounded_sources = false;
  u64 packets_at_sources = 0;  ///< in unbounded queues at the end; not among packets_generated
  /// What packets in flight grew by in a measured run of synthetic traffic, phits/node/cycle: the load generated less
  /// the accepted one; NaN of others.
  double load_growth = no_figure;
  /// Whether they grew by more than chance explains (tools/run/steady_state.hpp): buffers that fill hide from
  /// sources that the network does not take what is offered. Of several seeds: whether they did with any.
  bool falls_behind = false;
  /// Whether the network could not take what was offered: then figures depend on how long was measured. The one rule
  /// for summaries, files, pages, sweeps and their searches.
  [[nodiscard]] bool saturated() const { return falls_behind || load_untaken_fraction >= 0.05; }
  /// Cycles over which loads and latencies were taken.
  [[nodiscard]] std::pair<Tick, Tick> figures_of() const {
    return measured && !batches.empty() ? std::pair{batches.front().begin, batches.back().end}
                                        : std::pair{Tick{0}, cycles};
  }
  double load_offered = 0, load_injected = 0, load_accepted = 0, load_accepted_stddev = 0;  ///< phits/node/cycle
  double latency_mean = 0, latency_stddev = 0, latency_max = 0, latency_network_mean = 0;
  double latency_p50 = 0, latency_p90 = 0, latency_p99 = 0, latency_p999 = 0;
  double distance_stddev = no_figure;          ///< over packets; NaN: not asked for
  double distance_mean = 0, distance_max = 0;  ///< links of the delivered packets' routes
  /// Means over cells, from their packet's generation and from their own injection; NaN where packets have one length.
  double cell_latency_mean = no_figure, cell_network_mean = no_figure;
  /// Share of the cycles measured in which a router sends something on, and so many cycles, means over the routers; NaN
  /// of machines that do not count it.
  double router_utilisation = no_figure, router_busy_cycles = no_figure;
  double last_reroute_cycle = 0;  ///< when a NIC last took another route for a destination; 0: never
  /// Half the 95 % confidence intervals of load_accepted and latency_mean, over the batches or the seeds; NaN if there
  /// are less than two.
  double load_accepted_ci95 = no_figure, latency_mean_ci95 = no_figure;
  double confidence_percent = 95;  ///< measure.confidence_percent
  /// As those of 95 %, if it is another.
  double load_accepted_ci = no_figure, latency_mean_ci = no_figure;
  /// What is shown of the two.
  [[nodiscard]] double shown(double ci95, double ci) const { return confidence_percent == 95 ? ci95 : ci; }
  [[nodiscard]] double load_interval() const { return shown(load_accepted_ci95, load_accepted_ci); }
  [[nodiscard]] double latency_interval() const { return shown(latency_mean_ci95, latency_mean_ci); }
  [[nodiscard]] double interval_of(const Spread& spread) const { return shown(spread.ci95, spread.ci); }
  /// Correlation of the figure of a batch with that of the next one; NaN without batches.
  double load_autocorrelation = no_figure, latency_autocorrelation = no_figure;
  std::vector<SeedRow> seeds;                      ///< empty unless there are several
  Spread seeds_load, seeds_latency, seeds_cycles;  ///< accepted load, mean latency, simulated length; over seeds
  std::vector<IntervalRow> intervals, batches;
  std::vector<HistogramBin> latency_histogram;
  std::vector<u64> node_injected, node_delivered;  ///< packets over the whole run, [node]; empty above 65,536 nodes
  /// Instead of them where packets have different lengths: phits.
  std::vector<u64> node_injected_cells, node_delivered_cells;
  std::vector<double> task_finish_cycles;  ///< [task]; NaN of those that were not over; empty without tasks
  /// Cycles at which the tasks ended that were over.
  [[nodiscard]] std::vector<double> finished_cycles() const {
    std::vector<double> finished;
    for (const double cycle : task_finish_cycles) {
      if (std::isfinite(cycle)) finished.push_back(cycle);
    }
    return finished;
  }
  std::optional<TaskTimes> told_task_times;  ///< of runs with several seeds, and as read from a file
  /// Times of tasks: told_task_times, or those of task_finish_cycles.
  [[nodiscard]] TaskTimes task_times() const;
  std::vector<double> burst_cycles;     ///< [burst]; empty without bursts
  std::vector<ActivityRow> activities;  ///< of programs with lanes, in their order, job by job
  std::vector<TimelineRow> timeline;    ///< of statistics.timeline_tasks, by task, lane and time
  BusBandwidth bus;
  /// Cycles of lane 0 of a task of a job (0 without jobs), mean over its tasks.
  [[nodiscard]] double lane_cycles(u64 job) const {
    double all = 0;
    for (const ActivityRow& row : activities) all += row.job == job ? row.cycles : 0;
    return all;
  }
  /// Sum over the rows of a job by its cycles of lane 0; NaN without activities.
  [[nodiscard]] double share_of_lane(u64 job, double (*cycles_of)(const ActivityRow& row)) const {
    double sum = 0;
    for (const ActivityRow& row : activities) sum += row.job == job ? cycles_of(row) : 0;
    const double all = lane_cycles(job);
    return all > 0 ? sum / all : no_figure;
  }
  /// Shares of the time of lane 0 of all tasks of a job: it waits for communication, but for what it waits for even
  /// where messages cost nothing; that (of a pipeline: its bubble); it computes while others communicate (beside each
  /// other they count each).
  [[nodiscard]] double exposed_communication(u64 job = 0) const {
    return share_of_lane(job,
                         [](const ActivityRow& row) { return row.communicates ? row.cycles - row.bubble_cycles : 0; });
  }
  [[nodiscard]] double bubble(u64 job = 0) const {
    return share_of_lane(job, [](const ActivityRow& row) { return row.bubble_cycles; });
  }
  [[nodiscard]] double hidden_communication(u64 job = 0) const {
    return share_of_lane(job, [](const ActivityRow& row) { return row.hidden_cycles; });
  }
  std::vector<JobRow> jobs;  ///< of [[job]], in its order; empty without
  /// Bytes of its messages that a job was delivered in a cycle of its time; NaN if it had none.
  [[nodiscard]] double bytes_per_cycle(const JobRow& job) const {
    if (std::isfinite(job.bytes_per_cycle)) return job.bytes_per_cycle;
    const double end = std::isfinite(job.finish_cycle) ? job.finish_cycle : static_cast<double>(cycles);
    return end > job.start_cycle ? static_cast<double>(job.bytes) / (end - job.start_cycle) : no_figure;
  }
  ExchangeBandwidth exchange;
  ExtraStatistics extra;
  std::vector<std::string> warnings;
  std::vector<std::string> plugins;  ///< name and hash of each
  EngineCounters engine;
  workloads::MappingCost mapping;  ///< of the jobs or the application whose placement was optimised; no bytes: none
};

}  // namespace weft::tools
