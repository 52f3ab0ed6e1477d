// How figures of runs with several seeds become one: the one place that says it, for every figure of a result.
//
// What has no row here is that of the first run: texts (names, host, stop_reason, protocol, partition), what the
// network is (nodes, routers, cycle_ns, lookahead_cycles, edge_cut, balance), and histories in time (intervals,
// batches, series, timeline, and with the batches figures_of and the steady state). What is worked out from merged
// figures (rates, shares, saturated) follows them.
#pragma once

#include "tools/result/route_columns.hpp"
#include "tools/result/run_result.hpp"

namespace weft::tools {

enum class Merge {
  sum,    ///< counts
  mean,   ///< over the runs that have the figure
  share,  ///< mean over all runs, with 0 for those that do not have the row
  least,
  most,
};

// seed_rules(row, f) calls f(member of the row's type, rule).

template <class F>
void seed_rules(const RunResult*, F&& f) {
  using R = RunResult;
  for (const auto count :
       {&R::packets_generated, &R::packets_injected, &R::packets_delivered, &R::packets_dropped,
        &R::packets_dropped_at_source, &R::packets_copied, &R::packets_combined, &R::packets_marked, &R::notifications,
        &R::packets_in_flight, &R::packets_at_sources, &R::messages_sent, &R::messages_delivered, &R::hops})
    f(count, Merge::sum);
  // For load_accepted and latency_mean there are deviation and interval too: RunResult::seeds_load, seeds_latency.
  for (const auto figure : {&R::load_offered, &R::load_injected, &R::load_untaken_fraction, &R::load_growth,
                            &R::latency_stddev, &R::latency_p50, &R::latency_p90, &R::latency_p99, &R::latency_p999,
                            &R::latency_network_mean, &R::distance_mean})
    f(figure, Merge::mean);
  f(&R::cycles, Merge::most);
  f(&R::latency_max, Merge::most);
  f(&R::distance_max, Merge::most);
}

template <class F>
void seed_rules(const ClassRow*, F&& f) {
  for (const auto count : {&ClassRow::generated_packets, &ClassRow::injected_packets, &ClassRow::delivered_packets})
    f(count, Merge::sum);
  f(&ClassRow::accepted_load, Merge::mean);
  f(&ClassRow::latency_mean, Merge::mean);
}

template <class F>
void seed_rules(const JobRow*, F&& f) {
  for (const auto count : {&JobRow::repetitions, &JobRow::packets_generated, &JobRow::packets, &JobRow::packets_dropped,
                           &JobRow::messages_sent, &JobRow::messages, &JobRow::bytes})
    f(count, Merge::sum);
  for (const auto figure : {&JobRow::start_cycle, &JobRow::finish_cycle, &JobRow::latency_mean, &JobRow::slowdown,
                            &JobRow::bytes_per_cycle})
    f(figure, Merge::mean);
  f(&JobRow::latency_max, Merge::most);
}

template <class F>
void seed_rules(const ActivityRow*, F&& f) {
  f(&ActivityRow::cycles, Merge::share);
  f(&ActivityRow::side_cycles, Merge::share);
  f(&ActivityRow::bubble_cycles, Merge::share);
  f(&ActivityRow::hidden_cycles, Merge::share);
  f(&ActivityRow::messages, Merge::sum);
  f(&ActivityRow::bytes, Merge::sum);
}

template <class F>
void seed_rules(const FlowRow*, F&& f) {
  f(&FlowRow::least_bytes, Merge::least);
  f(&FlowRow::most_bytes, Merge::most);
  f(&FlowRow::flows, Merge::sum);
  f(&FlowRow::bytes, Merge::sum);
  for (const auto figure :
       {&FlowRow::fct_mean, &FlowRow::fct_p50, &FlowRow::fct_p95, &FlowRow::fct_p99, &FlowRow::slowdown_mean,
        &FlowRow::slowdown_p50, &FlowRow::slowdown_p95, &FlowRow::slowdown_p99})
    f(figure, Merge::mean);
  f(&FlowRow::fct_max, Merge::most);
  f(&FlowRow::slowdown_max, Merge::most);
}

template <class F>
void seed_rules(const TaskTimes*, F&& f) {
  f(&TaskTimes::finished, Merge::least);  // all of the tasks, if in all of the runs
  f(&TaskTimes::first, Merge::least);
  f(&TaskTimes::mean, Merge::mean);
  f(&TaskTimes::last, Merge::most);
}

template <class F>
void seed_rules(const BusBandwidth*, F&& f) {
  f(&BusBandwidth::algorithm, Merge::mean);
  f(&BusBandwidth::bus, Merge::mean);
}

template <class F>
void seed_rules(const ExchangeBandwidth*, F&& f) {
  f(&ExchangeBandwidth::tasks, Merge::most);
  f(&ExchangeBandwidth::mean, Merge::mean);
  f(&ExchangeBandwidth::stddev, Merge::mean);
  f(&ExchangeBandwidth::min, Merge::least);
  f(&ExchangeBandwidth::max, Merge::most);
  f(&ExchangeBandwidth::link, Merge::mean);
}

template <class F>
void seed_rules(const models::RouteCounts*, F&& f) {
  for_each_route_count([&](const char* /*name*/, auto count, const char* /*unit*/) { f(count, Merge::sum); });
}

template <class F>
void seed_rules(const HistogramBin*, F&& f) {
  f(&HistogramBin::packets, Merge::sum);
}

template <class F>
void seed_rules(const LinkRow*, F&& f) {
  f(&LinkRow::packets, Merge::sum);
  f(&LinkRow::utilisation, Merge::share);
}

template <class F>
void seed_rules(const BusyLink*, F&& f) {
  f(&BusyLink::packets, Merge::sum);
  f(&BusyLink::utilisation, Merge::share);
}

template <class F>
void seed_rules(const DistanceRow*, F&& f) {
  f(&DistanceRow::packets, Merge::sum);
}

template <class F>
void seed_rules(const PairRow*, F&& f) {
  f(&PairRow::packets, Merge::sum);
  f(&PairRow::latency_mean, Merge::mean);
}

template <class F>
void seed_rules(const OccupancyRow*, F&& f) {
  f(&OccupancyRow::transit_queues, Merge::sum);
  f(&OccupancyRow::injection_queues, Merge::sum);
}

template <class F>
void seed_rules(const ExtraStatistics*, F&& f) {
  f(&ExtraStatistics::occupancy_samples, Merge::sum);
  f(&ExtraStatistics::events, Merge::sum);
}

template <class F>
void seed_rules(const EngineCounters*, F&& f) {
  using E = EngineCounters;
  for (const auto count : {&E::events, &E::packet_hops, &E::windows, &E::exchanges, &E::remote_messages,
                           &E::null_messages, &E::checkpoints, &E::rebalances})
    f(count, Merge::sum);
  for (const auto seconds : {&E::wall_s, &E::setup_s, &E::checkpoint_s}) f(seconds, Merge::sum);
  f(&E::bytes_per_node, Merge::most);
  f(&E::checkpoint_bytes, Merge::most);
}

// Lists with an entry for each node, task, burst or rank: seed_lists(row, f) calls f(member, rule), entry by entry.

template <class F>
void seed_lists(const RunResult*, F&& f) {
  using R = RunResult;
  for (const auto counts : {&R::node_injected, &R::node_delivered, &R::node_injected_cells, &R::node_delivered_cells})
    f(counts, Merge::sum);
  f(&R::task_finish_cycles, Merge::mean);
  f(&R::burst_cycles, Merge::mean);
}

template <class F>
void seed_lists(const EngineCounters*, F&& f) {
  using E = EngineCounters;
  for (const auto seconds : {&E::cpu_s, &E::blocked_s, &E::exchange_s}) f(seconds, Merge::sum);
  f(&E::rank_events, Merge::sum);
  f(&E::rss_bytes, Merge::most);
}

}  // namespace weft::tools
