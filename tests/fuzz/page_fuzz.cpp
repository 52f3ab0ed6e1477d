// Fuzz target of the page: whatever numbers and texts a result holds, it ends and is whole; and what the check of
// results says about it is said without a crash.
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include "engine/base/error.hpp"
#include "tools/report/report.hpp"
#include "tools/result/check_result.hpp"

namespace {

using namespace weft;
using namespace weft::tools;

/// Values from bytes, zeros behind their end.
class Source {
 public:
  Source(const unsigned char* data, std::size_t bytes) : data_(data), bytes_(bytes) {}
  void take(u64& value) { value = number<u64>(); }
  void take(double& value) { value = number<double>(); }
  void take(bool& value) { value = number<u8>() % 2 != 0; }
  void take(std::string& value) {
    const std::size_t length = std::min<std::size_t>(number<u8>(), bytes_ - at_);
    value.assign(reinterpret_cast<const char*>(data_ + at_), length);
    at_ += length;
  }
  template <class... Fields>
  void take(Fields&... fields) requires(sizeof...(fields) > 1) {
    (take(fields), ...);
  }
  template <class Row, class Fill>
  void rows(std::vector<Row>& list, Fill&& fill) {
    list.resize(number<u8>() % 16);
    for (Row& row : list) fill(row);
  }
  /// A few values, or so many that neighbours share a place in a chart.
  template <class Value>
  void values(std::vector<Value>& list) {
    const bool many = number<u8>() % 8 == 7;
    rows(list, [this](Value& value) { take(value); });
    if (many && !list.empty()) list.resize(3000, list.back());
  }

 private:
  template <class T>
  T number() {
    T value{};
    const std::size_t length = std::min(sizeof value, bytes_ - at_);
    std::memcpy(&value, data_ + at_, length);
    at_ += length;
    return value;
  }
  const unsigned char* data_;
  std::size_t bytes_, at_ = 0;
};

RunResult result_from(Source& from) {
  RunResult r;
  const auto times = [&from](IntervalRow& row) {
    from.take(row.begin, row.end, row.injected_load, row.accepted_load, row.latency_mean, row.delivered_packets);
  };
  from.rows(r.intervals, times);
  from.rows(r.batches, times);
  from.rows(r.latency_histogram, [&](HistogramBin& bin) { from.take(bin.low, bin.high, bin.packets); });
  from.rows(r.extra.distances, [&](DistanceRow& row) { from.take(row.links, row.packets); });
  from.rows(r.extra.occupancy,
            [&](OccupancyRow& row) { from.take(row.packets, row.transit_queues, row.injection_queues); });
  from.rows(r.extra.series, [&](SeriesRow& row) {
    from.take(row.begin, row.end, row.injected_load, row.accepted_load, row.utilisation, row.latency_mean,
              row.delivered_packets, row.dropped_packets, row.network_packets, row.queued_packets);
  });
  from.rows(r.extra.busiest, [&](BusyLink& row) { from.take(row.link, row.packets, row.utilisation); });
  from.rows(r.seeds, [&](SeedRow& row) {
    from.take(row.seed, row.digest, row.cycles, row.converged, row.load_accepted, row.latency_mean, row.latency_p99);
  });
  from.rows(r.classes, [&](ClassRow& row) { from.take(row.traffic_class, row.accepted_load, row.latency_mean); });
  from.values(r.task_finish_cycles);
  from.values(r.burst_cycles);
  from.values(r.node_delivered);
  from.values(r.node_delivered_cells);
  from.values(r.warnings);
  from.values(r.engine.cpu_s);
  from.values(r.engine.rss_bytes);
  from.take(r.measured, r.converged, r.cycles, r.nodes, r.routers, r.cycle_ns, r.load_accepted, r.load_accepted_stddev,
            r.load_accepted_ci95, r.latency_mean, r.latency_max, r.latency_p99, r.distance_mean, r.counts.delivered,
            r.exchange.tasks, r.exchange.mean, r.exchange.link, r.engine.events, r.engine.wall_s, r.engine.balance,
            r.topology_name, r.workload_name, r.digest, r.config_json, r.config_toml, r.engine.protocol);
  from.rows(r.jobs, [&from](JobRow& row) {
    from.take(row.name, row.tasks, row.background, row.start_cycle, row.finish_cycle, row.repetitions, row.packets,
              row.messages, row.bytes, row.latency_mean, row.latency_max, row.slowdown);
  });
  return r;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t bytes) {
  Source from(data, bytes);
  RunResult first = result_from(from);
  RunResult second = result_from(from);
  second.config_json.clear();
  // Only a config that the check lets through is compared: one may be so deep that nothing can write it.
  if (!result_problem(first).empty()) first.config_json.clear();
  const std::string page = report_page({{"first", first}, {"second", RunResult{}}, {"third", second}});
  WEFT_ASSERT(page.ends_with("</html>\n"));
  WEFT_ASSERT(page.size() < (std::size_t{4} << 20));
  return 0;
}
