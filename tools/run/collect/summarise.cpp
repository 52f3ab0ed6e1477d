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
  return {.nodes = context.topology->nodes(),
          .packet_phits = context.router.packet_phits,
          .ticks_per_cycle = context.time.ticks_per_cycle,
          .counts_cells = context.counts_cells,
          .routers = context.topology->routers(),
          .cell_ticks = context.topology->joins_all() || !context.topology->link_rates().empty()
                            ? 0
                            : context.router.cell_ticks_of(models::Topology::node_link_class())};
}

namespace {

/// Cell k of a packet begins k cell times behind the first, and comes as much later; its latency is that of the packet,
/// to the last of its n cells, less n - 1 - k cell times.
void summarise_cells(RunResult& r, const models::Counters& c, const LoadScale& scale) {
  if (!scale.counts_cells || scale.cell_ticks == 0 || c.delivered_cells == 0 || c.injected_cells == 0) return;
  const double cell = static_cast<double>(scale.cell_ticks), cycle = 1.0 / static_cast<double>(scale.ticks_per_cycle);
  const auto mean = [&](u64 sum, double sign, u64 places, u64 cells) {
    return (static_cast<double>(sum) + sign * cell * static_cast<double>(places)) / static_cast<double>(cells) * cycle;
  };
  r.cell_latency_mean = mean(c.cell_latency, -1, c.delivered_cell_places, c.delivered_cells);
  r.cell_network_mean = r.cell_latency_mean - mean(c.cell_wait, 1, c.injected_cell_places, c.injected_cells);
}

}  // namespace

void summarise_counts(RunResult& r, const Measured& measured, const LoadScale& scale) {
  const models::Counters& c = measured.counts;
  const double node_cycles = scale.nodes * measured.cycles;
  r.load_injected = scale.injected(c) / node_cycles;
  r.load_accepted = scale.delivered(c) / node_cycles;
  r.distance_max = measured.distance_max;
  r.router_utilisation = c.router_busy == 0
                             ? no_figure
                             : static_cast<double>(c.router_busy) / static_cast<double>(scale.ticks_per_cycle) /
                                   (static_cast<double>(scale.routers) * measured.cycles);
  r.router_busy_cycles = r.router_utilisation * measured.cycles;
  r.last_reroute_cycle = static_cast<double>(measured.last_reroute) / static_cast<double>(scale.ticks_per_cycle);
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
  summarise_cells(r, c, scale);
  r.distance_mean = static_cast<double>(c.distance) / n;
  for (u32 bin = 0; bin < histogram.size(); ++bin) {
    if (histogram[bin] == 0) continue;
    r.latency_histogram.push_back({static_cast<double>(models::LatencyHistogram::low_edge(bin)) * cycle,
                                   static_cast<double>(models::LatencyHistogram::low_edge(bin + 1)) * cycle,
                                   histogram[bin]});
  }
}

}  // namespace weft::tools
