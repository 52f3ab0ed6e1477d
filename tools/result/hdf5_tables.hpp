// The tables of a result file: each column is named once, for both writing and reading.
#pragma once

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "engine/base/file/hdf5_file.hpp"
#include "tools/result/run_result.hpp"
#include "tools/result/seed_columns.hpp"

namespace weft::tools {

/// The unit of loads.
inline constexpr const char* load_unit = "phits/node/cycle";

/// Calls v(name, member, unit) for each column of a time series.
template <class Visitor>
void visit_columns(IntervalRow*, Visitor&& v) {
  v("begin", &IntervalRow::begin, "cycles");
  v("end", &IntervalRow::end, "cycles");
  v("injected_load", &IntervalRow::injected_load, load_unit);
  v("accepted_load", &IntervalRow::accepted_load, load_unit);
  v("latency_mean", &IntervalRow::latency_mean, "cycles");
  v("delivered_packets", &IntervalRow::delivered_packets, "packets");
}

/// Calls v(name, member, unit) for each column of the latency histogram.
template <class Visitor>
void visit_columns(HistogramBin*, Visitor&& v) {
  v("low", &HistogramBin::low, "cycles");
  v("high", &HistogramBin::high, "cycles");
  v("packets", &HistogramBin::packets, "packets");
}

template <class Visitor>
void visit_columns(SeedRow*, Visitor&& v) {
  for_each_seed_column(v);
}

template <class Visitor>
void visit_columns(ClassRow*, Visitor&& v) {
  v("traffic_class", &ClassRow::traffic_class, "");
  v("generated_packets", &ClassRow::generated_packets, "packets");
  v("injected_packets", &ClassRow::injected_packets, "packets");
  v("delivered_packets", &ClassRow::delivered_packets, "packets");
  v("accepted_load", &ClassRow::accepted_load, load_unit);
  v("latency_mean", &ClassRow::latency_mean, "cycles");
}

template <class Visitor>
void visit_columns(FlowRow*, Visitor&& v) {
  v("least_bytes", &FlowRow::least_bytes, "bytes");
  v("most_bytes", &FlowRow::most_bytes, "bytes");
  v("flows", &FlowRow::flows, "flows");
  v("bytes", &FlowRow::bytes, "bytes");
  v("fct_mean", &FlowRow::fct_mean, "cycles");
  v("fct_p50", &FlowRow::fct_p50, "cycles");
  v("fct_p95", &FlowRow::fct_p95, "cycles");
  v("fct_p99", &FlowRow::fct_p99, "cycles");
  v("fct_max", &FlowRow::fct_max, "cycles");
  v("slowdown_mean", &FlowRow::slowdown_mean, "");
  v("slowdown_p50", &FlowRow::slowdown_p50, "");
  v("slowdown_p95", &FlowRow::slowdown_p95, "");
  v("slowdown_p99", &FlowRow::slowdown_p99, "");
  v("slowdown_max", &FlowRow::slowdown_max, "");
}

template <class Visitor>
void visit_columns(EndpointRow*, Visitor&& v) {
  v("endpoint", &EndpointRow::endpoint, "");
  v("name", &EndpointRow::name, "");
  v("ended", &EndpointRow::ended, "");
  v("time_ns", &EndpointRow::time_ns, "ns");
  v("idle_ns", &EndpointRow::idle_ns, "ns");
  v("instructions", &EndpointRow::instructions, "");
  v("slices", &EndpointRow::slices, "");
  v("sent_messages", &EndpointRow::sent_messages, "messages");
  v("sent_bytes", &EndpointRow::sent_bytes, "bytes");
  v("received_messages", &EndpointRow::received_messages, "messages");
  v("received_bytes", &EndpointRow::received_bytes, "bytes");
  v("said", &EndpointRow::said, "");
}

/// Calls v(name, value, unit) for each figure of all endpoints together.
template <class Result, class Visitor>
void visit_cosim(Result& cosim, Visitor&& v) {
  v("/cosim/endpoints_are", cosim.endpoints_are, "");
  v("/cosim/time_ns", cosim.time_ns, "ns");
  v("/cosim/slice_ns", cosim.slice_ns, "ns");
  v("/cosim/nic_latency_ns", cosim.nic_latency_ns, "ns");
  v("/cosim/slices", cosim.slices, "");
  v("/cosim/skipped_slices", cosim.skipped_slices, "");
  v("/cosim/late_messages", cosim.late_messages, "messages");
  v("/cosim/late_ns_mean", cosim.late_ns_mean, "ns");
  v("/cosim/late_ns_max", cosim.late_ns_max, "ns");
  v("/cosim/messages", cosim.messages, "messages");
  v("/cosim/lost_messages", cosim.lost_messages, "messages");
  v("/cosim/latency_ns_mean", cosim.latency_ns_mean, "ns");
  v("/cosim/latency_ns_max", cosim.latency_ns_max, "ns");
  v("/cosim/payload_digest", cosim.payload_digest, "");
}

template <class Visitor>
void visit_columns(JobRow*, Visitor&& v) {
  v("name", &JobRow::name, "");
  v("tasks", &JobRow::tasks, "tasks");
  v("background", &JobRow::background, "");
  v("start_cycle", &JobRow::start_cycle, "cycles");
  v("finish_cycle", &JobRow::finish_cycle, "cycles");
  v("repetitions", &JobRow::repetitions, "");
  v("packets_generated", &JobRow::packets_generated, "packets");
  v("packets", &JobRow::packets, "packets");
  v("packets_dropped", &JobRow::packets_dropped, "packets");
  v("messages_sent", &JobRow::messages_sent, "messages");
  v("messages", &JobRow::messages, "messages");
  v("bytes", &JobRow::bytes, "bytes");
  v("latency_mean", &JobRow::latency_mean, "cycles");
  v("latency_max", &JobRow::latency_max, "cycles");
  v("slowdown", &JobRow::slowdown, "");
}

template <class Visitor>
void visit_columns(ActivityRow*, Visitor&& v) {
  v("name", &ActivityRow::name, "");
  v("communicates", &ActivityRow::communicates, "");
  v("cycles", &ActivityRow::cycles, "cycles");
  v("side_cycles", &ActivityRow::side_cycles, "cycles");
  v("messages", &ActivityRow::messages, "messages");
  v("bytes", &ActivityRow::bytes, "bytes");
  v("job", &ActivityRow::job, "");
  v("bubble_cycles", &ActivityRow::bubble_cycles, "cycles");
  v("hidden_cycles", &ActivityRow::hidden_cycles, "cycles");
  v("outside", &ActivityRow::outside, "");
}

template <class Visitor>
void visit_columns(TimelineRow*, Visitor&& v) {
  v("task", &TimelineRow::task, "");
  v("lane", &TimelineRow::lane, "");
  v("activity", &TimelineRow::activity, "");
  v("begin", &TimelineRow::begin, "cycles");
  v("end", &TimelineRow::end, "cycles");
}

/// A value as the file holds it: it knows neither flags nor short numbers.
template <class Value>
using Stored = std::conditional_t<std::is_integral_v<Value>, u64, Value>;

template <class Visitor>
void visit_columns(SeriesRow*, Visitor&& v) {
  v("begin", &SeriesRow::begin, "cycles");
  v("end", &SeriesRow::end, "cycles");
  v("injected_load", &SeriesRow::injected_load, load_unit);
  v("accepted_load", &SeriesRow::accepted_load, load_unit);
  v("utilisation", &SeriesRow::utilisation, "");
  v("latency_mean", &SeriesRow::latency_mean, "cycles");
  v("delivered_packets", &SeriesRow::delivered_packets, "packets");
  v("dropped_packets", &SeriesRow::dropped_packets, "packets");
  v("network_packets", &SeriesRow::network_packets, "packets");
  v("queued_packets", &SeriesRow::queued_packets, "packets");
}

template <class Visitor>
void visit_columns(LinkRow*, Visitor&& v, const char* owner) {
  v(owner, &LinkRow::owner, "");
  v("port", &LinkRow::port, "");
  v("channel", &LinkRow::channel, "");
  v("packets", &LinkRow::packets, "packets");
  v("utilisation", &LinkRow::utilisation, "");
}

template <class Visitor>
void visit_columns(BusyLink*, Visitor&& v) {
  v("link", &BusyLink::link, "");
  v("packets", &BusyLink::packets, "packets");
  v("utilisation", &BusyLink::utilisation, "");
}

template <class Visitor>
void visit_columns(DistanceRow*, Visitor&& v) {
  v("links", &DistanceRow::links, "links");
  v("packets", &DistanceRow::packets, "packets");
}

template <class Visitor>
void visit_columns(PairRow*, Visitor&& v) {
  v("source", &PairRow::source, "");
  v("destination", &PairRow::destination, "");
  v("packets", &PairRow::packets, "packets");
  v("latency_mean", &PairRow::latency_mean, "cycles");
}

template <class Visitor>
void visit_columns(OccupancyRow*, Visitor&& v) {
  v("packets", &OccupancyRow::packets, "packets");
  v("transit_queues", &OccupancyRow::transit_queues, "queues");
  v("injection_queues", &OccupancyRow::injection_queues, "queues");
}

/// Calls v(group, rows, more...) for each table that [statistics] asks for; `more` goes to visit_columns.
template <class Extra, class Visitor>
void visit_extra_tables(Extra& extra, Visitor&& v) {
  v("/series", extra.series);
  v("/ports", extra.ports, "router");
  v("/nic_ports", extra.nic_ports, "node");
  v("/busiest_links", extra.busiest);
  v("/distances", extra.distances);
  v("/pairs", extra.pairs);
  v("/occupancy", extra.occupancy);
}

template <class Row, class... More>
void write_table(files::Hdf5Writer& file, const std::string& group, const std::vector<Row>& rows, More... more) {
  const auto write = [&](const char* name, auto member, const char* unit) {
    std::vector<Stored<std::remove_cvref_t<decltype(rows.front().*member)>>> values;
    values.reserve(rows.size());
    for (const Row& row : rows) values.push_back(row.*member);
    file.column(group + "/" + name, values, unit);
  };
  visit_columns(static_cast<Row*>(nullptr), write, more...);
}

/// Columns that tables of an older version do not have.
[[nodiscard]] inline bool is_newer_column(std::string_view name) {
  constexpr std::array<std::string_view, 6> newer = {"packets_generated", "packets_dropped", "messages_sent",
                                                     "bubble_cycles",     "hidden_cycles",   "outside"};
  return std::ranges::find(newer, name) != newer.end();
}

template <class Row, class... More>
void read_table(const files::Hdf5Reader& file, const std::string& group, std::vector<Row>& rows, More... more) {
  bool first = true;
  const auto read = [&](const char* name, auto member, const char*) {
    using Value = std::remove_cvref_t<decltype(rows.front().*member)>;
    std::vector<Stored<Value>> values;
    if (is_newer_column(name) && !file.has_dataset(group + "/" + name)) return;
    file.column(group + "/" + name, values);
    if (first) rows.resize(values.size());
    first = false;
    if (values.size() != rows.size()) {
      file.fail(fmt::format("table '{}' has columns of {} and {} rows", group, rows.size(), values.size()));
    }
    for (std::size_t ix = 0; ix < rows.size(); ++ix)
      rows[ix].*member = static_cast<std::remove_cvref_t<decltype(rows.front().*member)>>(values[ix]);
  };
  visit_columns(static_cast<Row*>(nullptr), read, more...);
}

}  // namespace weft::tools
