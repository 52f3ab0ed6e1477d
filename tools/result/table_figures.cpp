// The figures that tables of a result have in each row: a row for each.
#include "tools/result/figures.hpp"

namespace weft::tools {
namespace {

using nlohmann::json;
using enum Merge;
using R = RunResult;

json absent_column() { return json(json::value_t::discarded); }

json rate_of(const R& r, const JobRow& job) { return finite(r.bytes_per_cycle(job)); }

/// A share of the time of lane 0 of a job in the result; absent without activities.
json share_of_job(const R& r, const JobRow& job, double (R::*share)(u64) const) {
  const u64 number = static_cast<u64>(&job - r.jobs.data());
  for (const ActivityRow& row : r.activities) {
    if (row.job == number) return finite((r.*share)(number));
  }
  return absent_column();
}

json unit_of_cycles(const R& /*r*/, const JobRow& /*row*/) { return "cycles"; }

std::vector<Figure<LinkRow>> link_rows(const char* owner, const char* help) {
  return FigureRows<LinkRow>::made_by([owner, help](FigureRows<LinkRow>& f) {
    f(owner, "", help, &LinkRow::owner);
    f("port", "", "of it", &LinkRow::port);
    f("channel", "", "virtual channel of the link", &LinkRow::channel);
    f("packets", "packets", "that the channel took", &LinkRow::packets, sum);
    f("utilisation", "", "fraction of the time that the channel held the link", &LinkRow::utilisation, share);
  });
}

std::vector<Figure<QueueRow>> queue_rows(const char* owner, const char* help) {
  return FigureRows<QueueRow>::made_by([owner, help](FigureRows<QueueRow>& f) {
    f(owner, "", help, &QueueRow::owner);
    f("port", "", "through which its packets come; of injection queues 0", &QueueRow::port);
    f("channel", "", "virtual channel; number among the node's injection queues", &QueueRow::channel);
    f("packets_mean", "packets", "in it, over all samples", &QueueRow::packets_mean, share);
    f("packets_max", "packets", "in it, of all samples", &QueueRow::packets_max, most);
  });
}

}  // namespace

void add_rows(FigureRows<IntervalRow>& f) {
  using I = IntervalRow;
  f("begin", "cycles", "its first cycle", &I::begin);
  f("end", "cycles", "the cycle behind it", &I::end);
  f("injected_load", load_unit, "what the network took", &I::injected_load);
  f("accepted_load", load_unit, "what was delivered", &I::accepted_load);
  f("latency_mean", "cycles", "of the packets delivered, from generation", &I::latency_mean);
  f("delivered_packets", "packets", "in this time", &I::delivered_packets);
}

void add_rows(FigureRows<HistogramBin>& f) {
  using H = HistogramBin;
  f("low", "cycles", "least latency", &H::low);
  f("high", "cycles", "least latency above it", &H::high);
  f("packets", "packets", "with such latencies", &H::packets, sum);
}

void add_rows(FigureRows<SeedRow>& f) {
  using S = SeedRow;
  // Each is the figure of the run with that seed that the file has under this name (seeds.cpp).
  f("seed", "", "simulation.seed", &S::seed);
  f("digest", "", "fingerprint of the history", &S::digest);
  f("cycles", "cycles", "simulated length", &S::cycles);
  f("converged", "", "a steady state was found", &S::converged).as([](const R& r, const S& row) {
    return r.measured ? json(row.converged) : json(nullptr);
  });
  f("packets_delivered", "packets", "consumed whole", &S::packets_delivered);
  f("load_injected", load_unit, "what the network took", &S::load_injected);
  f("load_accepted", load_unit, "what was delivered", &S::load_accepted);
  f("load_accepted_ci95", load_unit, "half its 95 % confidence interval, over batches", &S::load_accepted_ci95);
  f("latency_mean", "cycles", "from generation to delivery", &S::latency_mean);
  f("latency_mean_ci95", "cycles", "half its 95 % confidence interval, over batches", &S::latency_mean_ci95);
  f("latency_p99", "cycles", "99 % of the packets took no longer", &S::latency_p99);
  f("distance_mean", "links", "of the delivered packets' routes", &S::distance_mean);
}

void add_rows(FigureRows<ClassRow>& f) {
  using C = ClassRow;
  f("traffic_class", "", "number of the class", &C::traffic_class);
  f("generated_packets", "packets", "accepted by NICs", &C::generated_packets, sum);
  f("injected_packets", "packets", "whose header left the injection queue", &C::injected_packets, sum);
  f("delivered_packets", "packets", "consumed whole", &C::delivered_packets, sum);
  f("accepted_load", load_unit, "what was delivered", &C::accepted_load, mean);
  f("latency_mean", "cycles", "from generation to delivery", &C::latency_mean, mean);
}

void add_rows(FigureRows<FaultRow>& f) {
  using E = FaultRow;
  f("cycle", "cycles", "when it happened", &E::cycle);
  f.in_summary("time_ns", "ns", "when it happened", ns_of<&E::cycle>);
  f("part", "", "of the network", &E::part);
  f("state", "", "what became of it", &E::state);
  f("packets_lost", "packets", "by it: on a link, in a router or at a node", &E::packets_lost, sum);
  f("rerouted", "packets", "that waited and were given another way when routers knew of it", &E::rerouted, sum);
  f("recovered_cycles", "cycles", "from it until the last packet was lost by it", &E::recovered_cycles, most);
  f.in_summary("recovered_ns", "ns", "from it until the last packet was lost by it", ns_of<&E::recovered_cycles>);
}

void add_rows(FigureRows<CutOffRow>& f) {
  using C = CutOffRow;
  f("since_cycle", "cycles", "when no links led to the others any more", &C::since_cycle);
  f("until_cycle", "cycles", "when links did again, or others were cut off; none: not before the end", &C::until_cycle);
  f.in_summary("since_ns", "ns", "when no links led to the others any more", ns_of<&C::since_cycle>);
  f.in_summary("until_ns", "ns", "when links did again, or others were cut off", ns_of<&C::until_cycle>);
  f("nodes", "", "that reached each other, but not the largest part of the network", &C::nodes);
  f("node_count", "nodes", "how many these are", &C::node_count);
}

void add_rows(FigureRows<JobRow>& f) {
  using J = JobRow;
  f("name", "", "job.name", &J::name);
  f("tasks", "tasks", "how many it has", &J::tasks);
  f("background", "", "it began anew until the others were over", &J::background);
  f("start_cycle", "cycles", "when it began", &J::start_cycle, mean);
  f("finish_cycle", "cycles", "when its last task was over and its last packet delivered", &J::finish_cycle, mean);
  f.in_summary("start_ns", "ns", "when it began", ns_of<&J::start_cycle>);
  f.in_summary("finish_ns", "ns", "when its last task was over and its last packet delivered", ns_of<&J::finish_cycle>);
  f("repetitions", "", "times that all of its tasks were over", &J::repetitions, sum);
  f("packets.generated", "packets", "accepted by NICs", &J::packets_generated, sum).later();
  f("packets.delivered", "packets", "consumed whole", &J::packets, sum).was("/jobs/packets");
  f("packets.dropped", "packets", "taken out by a rule of the model", &J::packets_dropped, sum).later();
  f("messages_sent", "messages", "between its tasks", &J::messages_sent, sum).later();
  f("messages", "messages", "delivered", &J::messages, sum);
  f("bytes", "bytes", "of messages delivered", &J::bytes, sum);
  f("latency.mean", "cycles", "of its packets, from generation", &J::latency_mean, mean);
  f("latency.max", "cycles", "of its slowest packet", &J::latency_max, most);
  f.in_summary("latency.count", "packets", "that latencies are of",
               [](const R&, const J& job) { return json(job.packets); });
  f.in_summary("latency.unit", "", "unit of latencies", unit_of_cycles);
  f("slowdown", "", "its duration over that when it has the network for itself", &J::slowdown, mean);
  f("checkpoints", "", "that it has taken (job.checkpoint_interval_s)", &J::checkpoints, sum).later();
  f("failures", "", "of its nodes, by which it had to restart (job.restart)", &J::failures, sum).later();
  f("checkpoint_cycles", "cycles", "that it stood still for checkpoints", &J::checkpoint_cycles, sum).later();
  f.in_summary("checkpoint_ns", "ns", "that it stood still for checkpoints", ns_of<&J::checkpoint_cycles>);
  f("lost_cycles", "cycles", "that it had computed since its last checkpoint when it failed, and did anew",
    &J::lost_cycles, sum)
      .later();
  f.in_summary("lost_ns", "ns", "that it had computed since its last checkpoint when it failed, and did anew",
               ns_of<&J::lost_cycles>);
  f("waiting_cycles", "cycles", "that it waited for nodes after failures", &J::waiting_cycles, sum).later();
  f.in_summary("waiting_ns", "ns", "that it waited for nodes after failures", ns_of<&J::waiting_cycles>);
  f("restart_cycles", "cycles", "that its restarts took", &J::restart_cycles, sum).later();
  f.in_summary("restart_ns", "ns", "that its restarts took", ns_of<&J::restart_cycles>);
  f("bytes_per_cycle", "bytes/cycle", "of its messages, in its time", &J::bytes_per_cycle, mean).later().as(rate_of);
  f.in_summary("mib_per_s", "MiB/s", "of its messages, in its time",
               [](const R& r, const J& job) { return finite(r.mib_per_s(r.bytes_per_cycle(job))); });
  f.in_summary("exposed_communication", "", "as that of a run",
               [](const R& r, const J& job) { return share_of_job(r, job, &R::exposed_communication); });
  f.in_summary("hidden_communication", "", "as that of a run",
               [](const R& r, const J& job) { return share_of_job(r, job, &R::hidden_communication); });
  f.in_summary("pipeline_bubble", "", "as that of a run",
               [](const R& r, const J& job) { return share_of_job(r, job, &R::bubble); });
}

void add_rows(FigureRows<ActivityRow>& f) {
  using A = ActivityRow;
  f("name", "", "of the activity", &A::name);
  f("communicates", "", "it is communication", &A::communicates);
  f("outside", "", "it is a wait for times of the outside world", &A::outside).later();
  f("job", "", "row of jobs that it is of; 0 without", &A::job).only_in(In::file);
  f("cycles", "cycles", "of lane 0, waiting included; mean over tasks", &A::cycles, share);
  f.in_summary("ns", "ns", "cycles", ns_of<&A::cycles>);
  f.in_summary("share", "", "of lane 0's time", [](const R& r, const A& a) {
    const double all = r.lane_cycles(a.job);
    return finite(all > 0 ? a.cycles / all : no_figure);
  });
  f("side_cycles", "cycles", "of the other lanes; mean over tasks", &A::side_cycles, share);
  f.in_summary("side_ns", "ns", "side_cycles", ns_of<&A::side_cycles>);
  f("bubble_cycles", "cycles", "of cycles: waits that are there even where messages cost nothing", &A::bubble_cycles,
    share)
      .later();
  f.in_summary("bubble_ns", "ns", "bubble_cycles", ns_of<&A::bubble_cycles>);
  f("hidden_cycles", "cycles", "of side_cycles: sends and receives while lane 0 computes", &A::hidden_cycles, share)
      .later();
  f.in_summary("hidden_ns", "ns", "hidden_cycles", ns_of<&A::hidden_cycles>);
  f("messages", "messages", "sent by all tasks", &A::messages, sum);
  f("bytes", "bytes", "sent by all tasks", &A::bytes, sum);
}

void add_rows(FigureRows<TimelineRow>& f) {
  using T = TimelineRow;
  f("task", "", "of several jobs numbered one job after the other", &T::task);
  f("lane", "", "of the task", &T::lane);
  f("activity", "", "row of activities", &T::activity);
  f("begin", "cycles", "when it began", &T::begin);
  f("end", "cycles", "when it ended", &T::end);
}

void add_rows(FigureRows<FlowRow>& f) {
  using F = FlowRow;
  f("least_bytes", "bytes", "of the smallest", &F::least_bytes, least);
  f("most_bytes", "bytes", "of the largest", &F::most_bytes, most);
  f("flows", "flows", "of these sizes", &F::flows, sum);
  f("bytes", "bytes", "of all these", &F::bytes, sum);
  f("fct.mean", "cycles", "completion time", &F::fct_mean, mean);
  f("fct.p50", "cycles", "completion time of half of the flows at most", &F::fct_p50, mean);
  f("fct.p95", "cycles", "completion time of 95 % of the flows at most", &F::fct_p95, mean);
  f("fct.p99", "cycles", "completion time of 99 % of the flows at most", &F::fct_p99, mean);
  f("fct.max", "cycles", "completion time of the slowest", &F::fct_max, most);
  f.in_summary("fct.unit", "", "unit of completion times", [](const R&, const F&) { return json("cycles"); });
  f("slowdown.mean", "", "completion time over that of the flow alone", &F::slowdown_mean, mean);
  f("slowdown.p50", "", "slowdown of half of the flows at most", &F::slowdown_p50, mean);
  f("slowdown.p95", "", "slowdown of 95 % of the flows at most", &F::slowdown_p95, mean);
  f("slowdown.p99", "", "slowdown of 99 % of the flows at most", &F::slowdown_p99, mean);
  f("slowdown.max", "", "slowdown at most", &F::slowdown_max, most);
}

void add_rows(FigureRows<EndpointRow>& f) {
  using E = EndpointRow;
  f("endpoint", "", "number", &E::endpoint);
  f("name", "", "that it gave itself", &E::name);
  f("ended", "", "by itself", &E::ended);
  f("time_ns", "ns", "simulated: how far it came", &E::time_ns);
  f("idle_ns", "ns", "of that, when it said that it did nothing", &E::idle_ns);
  f("instructions", "", "executed", &E::instructions).as([](const R&, const E& e) {
    return e.instructions > 0 ? json(e.instructions) : absent_column();
  });
  f("slices", "", "in which it was let run", &E::slices);
  f("sent.messages", "messages", "that it sent", &E::sent_messages);
  f("sent.bytes", "bytes", "that it sent", &E::sent_bytes);
  f("received.messages", "messages", "that it received", &E::received_messages);
  f("received.bytes", "bytes", "that it received", &E::received_bytes);
  f("said", "", "its own last word", &E::said).as([](const R&, const E& e) {
    return e.said.empty() ? absent_column() : json(e.said);
  });
}

void add_rows(FigureRows<SeriesRow>& f) {
  using S = SeriesRow;
  f("begin", "cycles", "its first cycle", &S::begin);
  f("end", "cycles", "the cycle behind it", &S::end);
  f("injected_load", load_unit, "what the network took", &S::injected_load);
  f("accepted_load", load_unit, "what was delivered", &S::accepted_load);
  f("utilisation", "", "fraction of the time that links are busy, averaged over links", &S::utilisation);
  f("latency_mean", "cycles", "of the packets delivered, from generation", &S::latency_mean);
  f("latency_stddev", "cycles", "deviation over them", &S::latency_stddev).later();
  f("latency_max", "cycles", "of the slowest of them", &S::latency_max).later();
  f("network_latency_mean", "cycles", "of the packets delivered, from injection", &S::network_latency_mean).later();
  f("network_latency_stddev", "cycles", "deviation over them", &S::network_latency_stddev).later();
  f("network_latency_max", "cycles", "of the slowest of them", &S::network_latency_max).later();
  f("distance_mean", "links", "on the routes of the packets delivered", &S::distance_mean).later();
  f("generated_packets", "packets", "in this time", &S::generated_packets).later();
  f("injected_packets", "packets", "in this time", &S::injected_packets).later();
  f("delivered_packets", "packets", "in this time", &S::delivered_packets);
  f("dropped_packets", "packets", "in this time", &S::dropped_packets);
  f("network_packets", "packets", "in the network at its end", &S::network_packets);
  f("queued_packets", "packets", "in injection queues at its end", &S::queued_packets);
  f("network_packets_mean", "packets", "in the network, over this time", &S::network_packets_mean).later();
  f("queued_packets_mean", "packets", "in injection queues, over this time", &S::queued_packets_mean).later();
}

std::vector<Figure<LinkRow>>& figures_of_ports() {
  static auto rows = link_rows("router", "that sends");
  return rows;
}

std::vector<Figure<LinkRow>>& figures_of_nic_ports() {
  static auto rows = link_rows("node", "whose NIC sends");
  return rows;
}

std::vector<Figure<QueueRow>>& figures_of_queues() {
  static auto rows = queue_rows("router", "whose queue it is");
  return rows;
}

std::vector<Figure<QueueRow>>& figures_of_injection_queues() {
  static auto rows = queue_rows("node", "whose queue it is");
  return rows;
}

void add_rows(FigureRows<BusyLink>& f) {
  using B = BusyLink;
  f("link", "", "router and port, by name", &B::link);
  f("packets", "packets", "that it took", &B::packets, sum);
  f("utilisation", "", "fraction of the time that it was taken", &B::utilisation, share);
}

void add_rows(FigureRows<DistanceRow>& f) {
  f("links", "links", "on the route", &DistanceRow::links);
  f("packets", "packets", "delivered over so many", &DistanceRow::packets, sum);
  f("injected_packets", "packets", "injected with so many on a minimal route", &DistanceRow::injected_packets, sum)
      .later();
}

void add_rows(FigureRows<PairRow>& f) {
  f("source", "", "node", &PairRow::source);
  f("destination", "", "node", &PairRow::destination);
  f("packets", "packets", "delivered", &PairRow::packets, sum);
  f("latency_mean", "cycles", "of them, from generation", &PairRow::latency_mean, mean);
  f("injected_packets", "packets", "injected", &PairRow::injected_packets, sum).later();
}

void add_rows(FigureRows<OccupancyRow>& f) {
  using O = OccupancyRow;
  f("packets", "packets", "in a queue", &O::packets);
  f("transit_queues", "queues", "that were seen with so many, over all samples", &O::transit_queues, sum);
  f("injection_queues", "queues", "that were seen with so many, over all samples", &O::injection_queues, sum);
}

}  // namespace weft::tools
