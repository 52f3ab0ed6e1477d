// Floating point begins here: everything before is integers, summed over the ranks.
#include "tools/run/collect/summarise.hpp"

#include <numeric>

#include "engine/base/deviation.hpp"
#include "tools/result/quantile.hpp"

namespace weft::tools {
namespace {

/// Packets that no class counts: machines count those of in-network reduction among all packets only.
models::ClassCounts rest_of_classes(const models::Counters& all) {
  models::ClassCounts rest{all.generated, all.injected, all.delivered, all.delivered_cells, all.latency};
  for (const models::ClassCounts& of_class : all.classes) {
    rest.generated -= of_class.generated;
    rest.injected -= of_class.injected;
    rest.delivered -= of_class.delivered;
    rest.delivered_cells -= of_class.delivered_cells;
    rest.latency -= of_class.latency;
  }
  return rest;
}

}  // namespace

void add_rest_of_classes(RunResult& result, const models::Counters& all) {
  if (result.classes.empty() || result.classes.back().rest || rest_of_classes(all).generated == 0) return;
  result.classes.push_back({.traffic_class = result.classes.size(), .rest = true});
}

models::ClassCounts counts_of(const ClassRow& row, const models::Counters& all) {
  return row.rest ? rest_of_classes(all) : all.classes[row.traffic_class];
}

LoadScale load_scale(const Context& context) {
  return {context.topology->nodes(), context.router.packet_phits, context.time.ticks_per_cycle, context.counts_cells};
}

void summarise_counts(RunResult& r, const Measured& measured, const LoadScale& scale) {
  const models::Counters& c = measured.counts;
  const double node_cycles = scale.nodes * measured.cycles;
  r.load_injected = scale.injected(c) / node_cycles;
  r.load_accepted = scale.delivered(c) / node_cycles;
  r.distance_max = measured.distance_max;
  if (c.delivered == 0) return;
  const double n = static_cast<double>(c.delivered), cycle = 1.0 / static_cast<double>(scale.ticks_per_cycle);
  for (ClassRow& row : r.classes) {
    const models::ClassCounts counts = counts_of(row, c);
    row.accepted_load = static_cast<double>(counts.delivered_cells) / node_cycles;
    row.latency_mean =
        counts.delivered == 0 ? 0 : static_cast<double>(counts.latency) / static_cast<double>(counts.delivered) * cycle;
  }
  r.latency_mean = static_cast<double>(c.latency) / n * cycle;
  r.latency_stddev = stats::deviation_of_all(n, static_cast<double>(c.latency), c.latency_square_sum()) * cycle;
  r.latency_max = static_cast<double>(measured.latency_max) * cycle;
  const std::span<const u64> histogram = measured.histogram;
  const u64 counted = std::accumulate(histogram.begin(), histogram.end(), u64{0});
  const auto quantile = [&](double q) {
    return stats::latency_quantile(histogram, counted, q, measured.latency_max) * cycle;
  };
  r.latency_p50 = quantile(0.5);
  r.latency_p90 = quantile(0.9);
  r.latency_p99 = quantile(0.99);
  r.latency_p999 = quantile(0.999);
  r.latency_network_mean = static_cast<double>(measured.time_in_network) / n * cycle;
  r.distance_mean = static_cast<double>(c.distance) / n;
  for (u32 bin = 0; bin < histogram.size(); ++bin) {
    if (histogram[bin] == 0) continue;
    r.latency_histogram.push_back({static_cast<double>(models::LatencyHistogram::low_edge(bin)) * cycle,
                                   static_cast<double>(models::LatencyHistogram::low_edge(bin + 1)) * cycle,
                                   histogram[bin]});
  }
}

}  // namespace weft::tools
