// The figures of a run that are single values or lists: a row for each.
#include <algorithm>
#include <cmath>

#include "engine/base/deviation.hpp"
#include "engine/base/error.hpp"
#include "tools/result/figures.hpp"

namespace weft::tools {
namespace {

using nlohmann::json;
using enum Merge;
using RunRows = FigureRows<RunResult>;
using R = RunResult;

json absent() { return json(json::value_t::discarded); }

json parsed_config(const R& r, const R& /*owner*/) {
  if (r.config_json.empty()) return json::object();
  json config = json::parse(r.config_json, nullptr, false);
  WEFT_ASSERT(!config.is_discarded());
  return config;
}

json plugins_json(const R& r, const R& /*owner*/) {
  json list = json::array();
  for (const std::string& line : r.plugins) {
    const auto blank = line.rfind(' ');
    list.push_back({{"name", line.substr(0, blank)}, {"hash", line.substr(blank + 1)}});
  }
  return list;
}

/// Tasks whose ends the summary lists.
json listed_tasks(const R& r, const R& /*owner*/) {
  constexpr std::size_t most_tasks_listed = 4096;
  return r.task_finish_cycles.size() <= most_tasks_listed ? json(r.task_finish_cycles) : absent();
}

/// A share of lane 0 of a run without jobs.
json if_lanes(const R& r, double share) { return r.jobs.empty() && !r.activities.empty() ? finite(share) : absent(); }

/// 10^9 bytes a second of bytes/cycle.
json gigabytes_per_s(const R& r, double bytes_per_cycle) {
  return finite(r.cycle_ns > 0 ? bytes_per_cycle / r.cycle_ns : no_figure);
}

template <double ExchangeBandwidth::*Member>
json mib_of(const R& r, const ExchangeBandwidth& e) {
  return finite(r.mib_per_s(e.*Member));
}

template <double ExchangeBandwidth::*Member>
json share_of(const R& /*r*/, const ExchangeBandwidth& e) {
  return finite(e.*Member / e.link);
}

json per_second(const EngineCounters& e, u64 count) {
  return e.wall_s > 0 ? static_cast<double>(count) / e.wall_s : 0.0;
}

void add_names(RunRows& f) {
  f("weft", "", "version that made it", &R::version).at("@version");
  f("digest", "", "fingerprint of the history", &R::digest).at("@digest");
  f("host", "", "machine of rank 0", &R::host).at("@host");
  f("started_at", "", "ISO 8601, UTC", &R::started_at).at("@started_at");
  f("stop_reason", "", "why the run ended", &R::stop_reason).at("@stop_reason");
  f("topology", "", "name of the network", &R::topology_name).at("@topology");
  f("router", "", "name of the router model", &R::router_name).at("@router");
  f("workload", "", "name of the workload", &R::workload_name).at("@workload");
  f.in_summary("config", "", "all settings, nested by table", parsed_config);
  f("config_toml", "", "all settings, as a config", &R::config_toml).only_in(In::file).at("@config_toml");
  f("config_json", "", "all settings, nested by table", &R::config_json).only_in(In::file).at("@config_json");
  f("deadlock_search", "", "how far routes were searched for deadlock", &R::deadlock_search)
      .at("@deadlock_search")
      .later();
  f("fabric_verdict", "", "of a fabric of a file: sound, works or broken", &R::fabric_verdict)
      .at("@fabric_verdict")
      .there_if([](const R& r) { return !r.fabric_verdict.empty(); });
  f("seed", "", "simulation.seed", &R::seed).at("@seed");
  f("ranks", "", "processes", &R::ranks).at("@ranks");
  f("warnings", "", "what the run warned of", &R::warnings).at("/warnings");
  f("plugins", "", "name and hash of each plug-in", &R::plugins)
      .at("/plugins")
      .there_if([](const R& r) { return !r.plugins.empty(); })
      .as(plugins_json);
}

void add_sizes(RunRows& f) {
  f("nodes", "", "of the network", &R::nodes);
  f("routers", "", "of the network", &R::routers);
  f("cycles", "cycles", "simulated length", &R::cycles, most);
  f("resumed_from_cycle", "cycles", "cycle of the checkpoint it went on from; 0: the start", &R::resumed_cycles);
  // Counts and times of the engine are those of this process; all else is of the whole run.
  f.worked_out("engine.covers_from_cycle", "cycles", "from which on counts and times of the engine are",
               [](const R& r, const R&) { return json(r.resumed_cycles); })
      .at("/engine/covers_from_cycle");
  f("cycle_ns", "ns", "length of a cycle; 0: none is stated", &R::cycle_ns);
  f("packets.in_flight", "packets", "in the network at the end", &R::packets_in_flight, sum);
  f("packets.at_sources", "packets", "in unbounded queues of sources at the end, not among those generated",
    &R::packets_at_sources, sum)
      .later()
      .as([](const R& r, const R&) { return r.unbounded_sources ? json(r.packets_at_sources) : absent(); });
  f("distance.mean", "links", "of the delivered packets' routes", &R::distance_mean, mean);
  f("distance.stddev", "links", "deviation over packets, with statistics.distances", &R::distance_stddev, mean)
      .later()
      .as([](const R& r, const R&) { return std::isfinite(r.distance_stddev) ? json(r.distance_stddev) : absent(); });
  f("distance.max", "links", "of the longest route of a delivered packet", &R::distance_max, most);
}

// For load.accepted and latency.mean of several seeds there are deviation and interval too: result_of_seeds.

/// What is told of the batches of one run.
template <double IntervalRow::*Load>
json deviation_over_batches(const R& r, const R& /*owner*/) {
  if (!r.measured || r.batches.empty()) return absent();
  stats::RunningDeviation loads;
  for (const IntervalRow& batch : r.batches) loads.add(batch.*Load);
  return json(loads.deviation());
}

bool other_confidence(const R& r) { return r.confidence_percent != 95; }

template <double IntervalRow::*Load>
json most_of_batches(const R& r, const R& /*owner*/) {
  if (!r.measured || r.batches.empty()) return absent();
  double most = 0;
  for (const IntervalRow& batch : r.batches) most = std::max(most, batch.*Load);
  return json(most);
}

void add_loads(RunRows& f) {
  f("load.offered", load_unit, "what sources are to generate", &R::load_offered, mean);
  f("load.injected", load_unit, "what the network took", &R::load_injected, mean);
  f("load.accepted", load_unit, "what was delivered", &R::load_accepted, mean);
  f("load.accepted_stddev", load_unit, "deviation over batches or seeds", &R::load_accepted_stddev);
  f("load.accepted_ci95", load_unit, "half its 95 % confidence interval, over batches or seeds", &R::load_accepted_ci95)
      .later();
  f("load.accepted_ci", load_unit, "half its confidence interval at measure.confidence_percent, if that is not 95",
    &R::load_accepted_ci)
      .there_if(other_confidence)
      .later();
  const auto of_batches = [](const R& r) { return r.measured && !r.batches.empty(); };
  f.worked_out("load.accepted_max", load_unit, "of the batch with most", most_of_batches<&IntervalRow::accepted_load>)
      .there_if(of_batches);
  f.worked_out("load.injected_stddev", load_unit, "deviation over batches",
               deviation_over_batches<&IntervalRow::injected_load>)
      .there_if(of_batches);
  f.worked_out("load.injected_max", load_unit, "of the batch with most", most_of_batches<&IntervalRow::injected_load>)
      .there_if(of_batches);
  f("load.untaken_fraction", "", "share of the offered load that was not taken", &R::load_untaken_fraction, mean)
      .later();
  f("load.growth", load_unit, "what packets in flight grew by while it was measured", &R::load_growth, mean).later();
  f.worked_out("saturated", "", "the network did not take what was offered", [](const R& r, const R&) {
    return std::isfinite(r.load_untaken_fraction) ? json(r.saturated()) : json(nullptr);
  });
  f("unbounded_sources", "", "queues of sources have no bound", &R::unbounded_sources).only_in(In::file).later();
  f("falls_behind", "", "packets in flight grew by more than chance explains", &R::falls_behind, any)
      .only_in(In::file)
      .later();
}

void add_latencies(RunRows& f) {
  f("latency.mean", "cycles", "from generation to delivery", &R::latency_mean, mean);
  f("latency.mean_ci95", "cycles", "half its 95 % confidence interval, over batches or seeds", &R::latency_mean_ci95)
      .later();
  f("latency.mean_ci", "cycles", "half its confidence interval at measure.confidence_percent, if that is not 95",
    &R::latency_mean_ci)
      .there_if(other_confidence)
      .later();
  f("confidence_percent", "%", "of intervals, measure.confidence_percent, if that is not 95", &R::confidence_percent)
      .there_if(other_confidence)
      .later();
  f("latency.stddev", "cycles", "deviation over packets", &R::latency_stddev, mean);
  f("latency.max", "cycles", "of the slowest packet", &R::latency_max, most);
  f("latency.p50", "cycles", "half of the packets took no longer", &R::latency_p50, mean);
  f("latency.p90", "cycles", "90 % of the packets took no longer", &R::latency_p90, mean).later();
  f("latency.p99", "cycles", "99 % of the packets took no longer", &R::latency_p99, mean);
  f("latency.p999", "cycles", "99.9 % of the packets took no longer", &R::latency_p999, mean).later();
  f("latency.network_mean", "cycles", "from injection to delivery", &R::latency_network_mean, mean);
  const auto cells = [](const R& r) { return std::isfinite(r.cell_latency_mean); };
  f("latency.cell_mean", "cycles", "of each cell, from the generation of its packet", &R::cell_latency_mean, mean)
      .there_if(cells);
  f("latency.cell_network_mean", "cycles", "of each cell, from its own injection", &R::cell_network_mean, mean)
      .there_if(cells);
  f.in_summary("latency.unit", "", "unit of latencies", [](const R&, const R&) { return json("cycles"); });
}

void add_routers(RunRows& f) {
  const auto counted = [](const R& r) { return std::isfinite(r.router_utilisation); };
  f("router_utilisation.share", "", "of the cycles, in which a router sends something on, mean over routers",
    &R::router_utilisation, mean)
      .there_if(counted);
  f("router_utilisation.cycles", "cycles", "in which a router sends something on, mean over routers",
    &R::router_busy_cycles, mean)
      .there_if(counted);
  f("routes.last_change_cycle", "cycles", "when a NIC last took another route for a destination; 0: never",
    &R::last_reroute_cycle, most)
      .there_if([](const R& r) { return r.chooses_routes; });
}

void add_steady_state(RunRows& f) {
  f("measured", "", "loads and latencies are over batches, not the whole run", &R::measured);
  f("converged", "", "a steady state was found", &R::converged, every).later().as([](const R& r, const R&) {
    return r.measured ? json(r.converged) : json(nullptr);
  });
  f.in_summary("figures_of_cycles", "cycles", "over which loads and latencies were taken, from and to",
               [](const R& r, const R&) {
                 return json::array({r.figures_of().first, r.figures_of().second});
               });
  f.worked_out("figures_from_cycle", "cycles", "first of those over which loads and latencies were taken",
               [](const R& r, const R&) { return json(r.figures_of().first); })
      .only_in(In::file);
  f.worked_out("figures_to_cycle", "cycles", "behind the last of those over which loads and latencies were taken",
               [](const R& r, const R&) { return json(r.figures_of().second); })
      .only_in(In::file);
  f.in_summary("steady_state.begin_cycle", "cycles", "begin of the first batch", [](const R& r, const R&) {
    return r.measured ? json(r.batches.empty() ? 0 : r.batches.front().begin) : absent();
  });
  f("steady_state.load_autocorrelation", "", "of the accepted load of a batch with that of the next",
    &R::load_autocorrelation)
      .at("/steady_state/load_autocorrelation")
      .was("/summary/load_autocorrelation")
      .as([](const R& r, const R&) { return r.measured ? finite(r.load_autocorrelation) : absent(); });
  f("steady_state.latency_autocorrelation", "", "of the mean latency of a batch with that of the next",
    &R::latency_autocorrelation)
      .at("/steady_state/latency_autocorrelation")
      .was("/summary/latency_autocorrelation")
      .as([](const R& r, const R&) { return r.measured ? finite(r.latency_autocorrelation) : absent(); });
}

void add_lists(RunRows& f) {
  f("nodes.injected_packets", "packets", "that the node's NIC accepted", &R::node_injected, sum)
      .only_in(In::file)
      .at("/nodes/injected_packets");
  f("nodes.delivered_packets", "packets", "that the node's NIC consumed", &R::node_delivered, sum)
      .only_in(In::file)
      .at("/nodes/delivered_packets");
  f("nodes.injected_cells", "phits", "that the node's NIC accepted", &R::node_injected_cells, sum)
      .only_in(In::file)
      .at("/nodes/injected_cells")
      .there_if([](const R& r) { return !r.node_injected_cells.empty(); });
  f("nodes.delivered_cells", "phits", "that the node's NIC consumed", &R::node_delivered_cells, sum)
      .only_in(In::file)
      .at("/nodes/delivered_cells")
      .there_if([](const R& r) { return !r.node_delivered_cells.empty(); });
  f("task_finish_cycles", "cycles", "end of each task; NaN of one that was not over", &R::task_finish_cycles, mean)
      .at("/tasks/finish_cycles")
      .as(listed_tasks);
  f("faults.availability", "", "share of the time that the parts work that fail or come back during the run",
    &R::availability, mean)
      .there_if([](const R& r) { return !std::isnan(r.availability); });
  f("faults.cut_offs", "", "times that nodes were cut off from the largest part of the network", &R::cut_offs)
      .there_if([](const R& r) { return !std::isnan(r.availability); });
  f("burst_cycles", "cycles", "duration of each burst", &R::burst_cycles, mean).at("/bursts/duration_cycles");
  f.in_summary("exposed_communication", "", "share of lane 0's time that is communication, without pipeline_bubble",
               [](const R& r, const R&) { return if_lanes(r, r.exposed_communication()); });
  f.in_summary("hidden_communication", "",
               "share of lane 0's time in which it computes while another lane communicates",
               [](const R& r, const R&) { return if_lanes(r, r.hidden_communication()); });
  f.in_summary("pipeline_bubble", "", "share of lane 0's time that it waits even where messages cost nothing",
               [](const R& r, const R&) { return if_lanes(r, r.bubble()); });
  f.in_summary("statistics.pairs", "", "pairs of nodes between which packets were delivered",
               [](const R& r, const R&) { return r.extra.pairs.empty() ? absent() : json(r.extra.pairs.size()); });
}

void add_spread(FigureRows<Spread>& f, const char* unit) {
  f("mean", unit, "over the seeds", &Spread::mean);
  f("stddev", unit, "deviation over the seeds", &Spread::stddev);
  f("ci95", unit, "half the 95 % confidence interval of the mean over the seeds", &Spread::ci95);
  f("ci", unit, "half the confidence interval at measure.confidence_percent, if that is not 95", &Spread::ci)
      .there_if(other_confidence)
      .later();
}

}  // namespace

void add_rows(FigureRows<RunResult>& f) {
  for (auto* const add : {add_names, add_sizes, add_loads, add_latencies, add_routers, add_steady_state, add_lists})
    add(f);
}

void add_rows(FigureRows<models::Counters>& f) {
  using C = models::Counters;
  const auto marks = [](const R& r) { return r.marks; };
  f("packets.generated", "packets", "accepted by NICs", &C::generated, sum);
  f("packets.injected", "packets", "whose header left the injection queue", &C::injected, sum);
  f("packets.delivered", "packets", "consumed whole", &C::delivered, sum);
  f("packets.dropped", "packets", "taken out by a rule of the model", &C::dropped, sum);
  f("packets.dropped_at_source", "packets", "of those dropped, never injected", &C::dropped_at_source, sum);
  f("packets.dropped_at_full_nic", "packets", "of those, lost by sources whose NIC was full", &C::dropped_at_full_nic,
    sum)
      .there_if([](const R& r) { return r.counts.dropped_at_full_nic > 0; });
  f("packets.dropped_in_failures", "packets", "of those, on links, or in routers and nodes, that failed during the run",
    &C::dropped_in_failures, sum)
      .there_if([](const R& r) { return r.counts.dropped_in_failures > 0; });
  f("packets.dropped_at_head", "packets", "of those, that waited too long at the head of an injection queue",
    &C::dropped_at_head, sum)
      .there_if([](const R& r) { return r.counts.dropped_at_head > 0; });
  f("packets.copies", "packets", "that routers made of others (multicast, in-network reduction)", &C::copies, sum)
      .was("/summary/packets_copied");
  f("packets.combined", "packets", "that switches put into others (in-network reduction)", &C::combined, sum);
  f("messages.sent", "messages", "between tasks, those of one node included", &C::messages_sent, sum);
  f("messages.delivered", "messages", "between tasks, those of one node included", &C::messages_delivered, sum);
  f("hops", "links", "router-to-router links on the routes of the delivered packets", &C::hops, sum);
  f("congestion.marked_packets", "packets", "delivered with a mark", &C::marked, sum)
      .at("/congestion/marked_packets")
      .there_if(marks);
  f("congestion.notifications", "", "that sources were sent because of marks", &C::notifications, sum)
      .at("/congestion/notifications")
      .there_if(marks);
}

void add_rows(FigureRows<models::RouteCounts>& f) {
  using C = models::RouteCounts;
  f("out_of_order_packets", "packets", "that a later one of the same source has overtaken", &C::out_of_order, sum);
  f("stopped_packets", "packets", "during or before which flow control held their NIC up", &C::stopped, sum);
  f("rerouted", "", "times that a destination got another route", &C::rerouted, sum);
  f("forced", "", "of them, after probes in vain", &C::forced, sum);
  f("probes", "packets", "that looked for routes", &C::probes, sum);
  f("fetched", "routes", "that NICs had to ask their hosts for", &C::fetched, sum).later();
}

void add_rows(FigureRows<ExchangeBandwidth>& f) {
  using E = ExchangeBandwidth;
  constexpr const char* unit = "bytes/cycle";
  f("tasks", "tasks", "that receive something", &E::tasks, most);
  f("bytes_per_cycle.mean", unit, "of messages that a task received", &E::mean, mean).was("/exchange/bandwidth_mean");
  f("bytes_per_cycle.stddev", unit, "over tasks", &E::stddev, mean).was("/exchange/bandwidth_stddev");
  f("bytes_per_cycle.min", unit, "of the slowest task", &E::min, least).was("/exchange/bandwidth_min");
  f("bytes_per_cycle.max", unit, "of the fastest task", &E::max, most).was("/exchange/bandwidth_max");
  f("link_bytes_per_cycle", unit, "of messages that the link of a node carries", &E::link, mean)
      .only_in(In::file)
      .was("/exchange/link_bandwidth");
  f.in_summary("mib_per_s.mean", "MiB/s", "that a task received", mib_of<&E::mean>);
  f.in_summary("mib_per_s.stddev", "MiB/s", "over tasks", mib_of<&E::stddev>);
  f.in_summary("mib_per_s.min", "MiB/s", "of the slowest task", mib_of<&E::min>);
  f.in_summary("mib_per_s.max", "MiB/s", "of the fastest task", mib_of<&E::max>);
  f.in_summary("link_share.mean", "", "that a task received, of what its NICs can send", share_of<&E::mean>);
  f.in_summary("link_share.stddev", "", "over tasks, of what its NICs can send", share_of<&E::stddev>);
  f.in_summary("link_share.min", "", "of the slowest task, of what its NICs can send", share_of<&E::min>);
  f.in_summary("link_share.max", "", "of the fastest task, of what its NICs can send", share_of<&E::max>);
}

void add_rows(FigureRows<BusBandwidth>& f) {
  using B = BusBandwidth;
  f("algorithm_bytes_per_cycle", "bytes/cycle", "bytes of a task by its time", &B::algorithm, mean)
      .was("/tasks/algorithm_bandwidth");
  f("bus_bytes_per_cycle", "bytes/cycle", "bytes that links must carry by that time", &B::bus, mean)
      .was("/tasks/bus_bandwidth");
  f.in_summary("algorithm_gbytes_per_s", "10^9 bytes/s", "algorithm_bytes_per_cycle",
               [](const R& r, const B& b) { return gigabytes_per_s(r, b.algorithm); });
  f.in_summary("bus_gbytes_per_s", "10^9 bytes/s", "bus_bytes_per_cycle",
               [](const R& r, const B& b) { return gigabytes_per_s(r, b.bus); });
}

void add_rows(FigureRows<workloads::MappingCost>& f) {
  using M = workloads::MappingCost;
  f("bytes", "bytes", "that tasks send each other, as the mapping was made for", &M::bytes, mean);
  f("hop_bytes", "bytes", "times the links that they go over", &M::hop_bytes, mean);
  f("consecutive_hop_bytes", "bytes", "the same with tasks in order on the free nodes", &M::consecutive_hop_bytes,
    mean);
  f("least_hop_bytes", "bytes", "no placement has less, perhaps none so little", &M::least_hop_bytes, mean);
  f.in_summary("hops_per_byte", "links", "hop_bytes / bytes: the dilation",
               [](const R&, const M& m) { return json(m.hop_bytes / m.bytes); });
  f.in_summary("consecutive_hops_per_byte", "links", "consecutive_hop_bytes / bytes",
               [](const R&, const M& m) { return json(m.consecutive_hop_bytes / m.bytes); });
  f.in_summary("least_hops_per_byte", "links", "least_hop_bytes / bytes",
               [](const R&, const M& m) { return json(m.least_hop_bytes / m.bytes); });
}

void add_rows(FigureRows<TaskTimes>& f) {
  using T = TaskTimes;
  f.in_summary("count", "tasks", "all", [](const R& r, const T&) { return json(r.task_finish_cycles.size()); });
  f("finished", "tasks", "that were over; of several seeds, in all", &T::finished, least);
  f("finish_cycles_min", "cycles", "when the first was over", &T::first, least);
  f("finish_cycles_mean", "cycles", "when they were over", &T::mean, mean);
  f("finish_cycles_max", "cycles", "when the last was over", &T::last, most);
  f.in_summary("finish_ns_min", "ns", "when the first was over", ns_of<&T::first>);
  f.in_summary("finish_ns_mean", "ns", "when they were over", ns_of<&T::mean>);
  f.in_summary("finish_ns_max", "ns", "when the last was over", ns_of<&T::last>);
}

std::vector<Figure<Spread>>& spreads_of_loads() {
  static auto rows = FigureRows<Spread>::made_by([](FigureRows<Spread>& f) { add_spread(f, load_unit); });
  return rows;
}

std::vector<Figure<Spread>>& spreads_of_cycles() {
  static auto rows = FigureRows<Spread>::made_by([](FigureRows<Spread>& f) { add_spread(f, "cycles"); });
  return rows;
}

void add_rows(FigureRows<CosimResult>& f) {
  using C = CosimResult;
  f("endpoints_are", "", "what is at the nodes", &C::endpoints_are);
  f("time_ns", "ns", "simulated: how far all came", &C::time_ns);
  f("slice_ns", "ns", "endpoints run so long before the network follows", &C::slice_ns);
  f("nic_latency_ns", "ns", "from an endpoint to the network, and back", &C::nic_latency_ns);
  f("slices", "", "executed", &C::slices);
  f("skipped_slices", "", "left out because nothing happened in them", &C::skipped_slices);
  f("messages", "messages", "that came", &C::messages);
  f("lost_messages", "messages", "of them, to endpoints that had ended", &C::lost_messages);
  f("latency_ns.mean", "ns", "of messages", &C::latency_ns_mean);
  f("latency_ns.max", "ns", "of the slowest message", &C::latency_ns_max);
  f("late.messages", "messages", "that came later than they should", &C::late_messages);
  f("late.mean_ns", "ns", "how late, over all messages", &C::late_ns_mean).was("/cosim/late_ns_mean");
  f("late.max_ns", "ns", "how late at most", &C::late_ns_max).was("/cosim/late_ns_max");
  f.in_summary("late.bound_ns", "ns", "how late a message can come", [](const R&, const C& c) {
    return json(c.slice_ns > 2 * c.nic_latency_ns ? c.slice_ns - 2 * c.nic_latency_ns : 0);
  });
  f("payload_digest", "", "of what came where, when, and of its bytes", &C::payload_digest);
}

void add_rows(FigureRows<InjectionLatency>& f) {
  using L = InjectionLatency;
  f("packets", "packets", "delivered whose injection is known", &L::packets, sum);
  f("mean", "cycles", "from injection to delivery, of the packets delivered in the run", &L::mean, mean);
  f("stddev", "cycles", "deviation over packets", &L::stddev, mean);
  f("max", "cycles", "of the packet that took longest", &L::max, most);
}

void add_rows(FigureRows<ExtraStatistics>& f) {
  using E = ExtraStatistics;
  const auto has_events = [](const R& r) { return !r.extra.events_path.empty(); };
  f("occupancy_samples", "", "how often queues were looked into", &E::occupancy_samples, sum)
      .only_in(In::file)
      .at("/occupancy/samples")
      .there_if([](const R& r) { return !r.extra.occupancy.empty(); });
  f("events.path", "", "file of packet events", &E::events_path)
      .at("/events/path")
      .was("/packet_events/path")
      .there_if(has_events);
  f("events.lines", "", "lines of that file", &E::events, sum)
      .at("/events/lines")
      .was("/packet_events/lines")
      .there_if(has_events);
}

void add_rows(FigureRows<EngineCounters>& f) {
  using E = EngineCounters;
  f("events", "events", "events executed, of all ranks", &E::events, sum);
  f("packet_hops", "links", "link traversals begun, injection and ejection included", &E::packet_hops, sum);
  f("windows", "windows", "stretches of time executed without a word to other ranks, most of a rank", &E::windows, sum);
  f("exchanges", "exchanges", "agreements of all ranks on the time", &E::exchanges, sum);
  f("remote_messages", "messages", "events sent to other ranks", &E::remote_messages, sum);
  f("null_messages", "messages", "messages to other ranks that carried no event, only a time", &E::null_messages, sum);
  f("wall_s", "s", "event loop, on the slowest rank's clock", &E::wall_s, sum);
  f("setup_s", "s", "everything before the event loop", &E::setup_s, sum);
  f("cpu_s", "s", "user CPU time of the event loop", &E::cpu_s, sum).at("/engine/ranks/cpu_s");
  f("blocked_s", "s", "waiting for other ranks", &E::blocked_s, sum).at("/engine/ranks/blocked_s");
  f("exchange_s", "s", "sending and receiving the events that cross", &E::exchange_s, sum)
      .at("/engine/ranks/exchange_s");
  f("rss_bytes", "bytes", "resident set at the end of the event loop", &E::rss_bytes, most)
      .at("/engine/ranks/rss_bytes");
  f("rank_events", "events", "events executed", &E::rank_events, sum).at("/engine/ranks/events");
  f("bytes_per_node", "bytes/node", "growth of the resident sets from program start, over nodes", &E::bytes_per_node,
    most);
  f("lookahead_cycles", "cycles", "least time that an event for another rank lies ahead", &E::lookahead_cycles);
  f("protocol", "", "how the ranks keep in step", &E::protocol);
  f("partition", "", "how the routers were shared out", &E::partition);
  f("edge_cut", "links", "links between routers of different ranks", &E::edge_cut);
  f("balance", "", "routers of the largest rank over the mean", &E::balance);
  f("checkpoints", "files", "checkpoints written by this process", &E::checkpoints, sum);
  f("checkpoint_bytes", "bytes", "size of the last checkpoint", &E::checkpoint_bytes, most);
  f("checkpoint_s", "s", "time spent on checkpoints, part of wall_s", &E::checkpoint_s, sum);
  f("rebalances", "times", "times that the routers were shared out anew", &E::rebalances, sum);
  f.worked_out("events_per_s", "events/s", "events / wall_s",
               [](const R&, const E& e) { return per_second(e, e.events); });
  f.worked_out("packet_hops_per_s", "links/s", "packet_hops / wall_s",
               [](const R&, const E& e) { return per_second(e, e.packet_hops); });
}

}  // namespace weft::tools
