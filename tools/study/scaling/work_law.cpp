// Fits of events and messages to the networks of a study; see the header.
#include "tools/study/scaling/work_law.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "models/core/layout.hpp"
#include "models/topology/regular_partition.hpp"
#include "tools/run/config/resolve.hpp"
#include "tools/study/scaling/least_squares.hpp"

namespace weft::tools {
namespace {

struct MeasuredNetwork {
  NetworkFigures network;
  double events = 0;
};

/// Fits the growth of events to all networks but that at `without`.
void fit_events(WorkLaw& law, const std::vector<MeasuredNetwork>& measured, std::size_t without) {
  std::vector<std::vector<double>> a;
  for (std::size_t ix = 0; ix < measured.size(); ++ix) {
    const auto& [network, events] = measured[ix];
    // Relative errors count: divided by what was measured.
    if (ix != without) a.push_back({network.nodes / events, network.nodes * network.distance / events});
  }
  const std::vector<double> x = nonnegative_least_squares(a, std::vector<double>(a.size(), 1.0));
  law.per_node = x.empty() ? 0 : x[0];
  law.per_distance = x.empty() ? 0 : x[1];
}

}  // namespace

NetworkFigures network_figures(const Config& config) {
  NetworkFigures network;
  network.topology = models::make_topology(topology_spec(config));
  network.nodes = network.topology->nodes();
  network.distance = network.topology->mean_distance();
  network.links = static_cast<double>(network.topology->router_links());
  return network;
}

WorkLaw work_law(const ScalingStudy& study, const std::vector<ScalingPoint>& points, double nodes) {
  std::map<std::string, MeasuredNetwork> by_name;
  std::vector<std::vector<double>> crossing;
  double nearest = -1;
  WorkLaw law;
  for (const ScalingPoint& point : points) {
    const auto events = static_cast<double>(point.best.events);
    if (events <= 0) continue;
    const auto [at, is_new] = by_name.try_emplace(point.best.topology);
    if (is_new) at->second = {network_figures(study.config(study.sizes[point.cell.size_ix])), events};
    const NetworkFigures& network = at->second.network;
    const double away = std::abs(std::log(network.nodes / nodes));
    if (nearest < 0 || away < nearest || (away == nearest && point.cell.ranks > 1)) {
      nearest = away;
      law.windows = static_cast<double>(point.best.windows);
    }
    if (point.best.remote_messages == 0 || network.links == 0) continue;
    const auto sent = static_cast<double>(point.best.remote_messages);
    crossing.push_back({events * static_cast<double>(point.best.edge_cut) / network.links / sent});
  }
  std::vector<MeasuredNetwork> measured;
  for (auto& [name, one] : by_name) measured.push_back(std::move(one));
  law.networks = measured.size();
  for (std::size_t ix = 0; ix < measured.size(); ++ix) {
    fit_events(law, measured, ix);
    law.events_error +=
        std::abs(law.events(measured[ix].network) / measured[ix].events - 1) / static_cast<double>(measured.size());
  }
  fit_events(law, measured, measured.size());
  if (!crossing.empty()) {
    law.messages = nonnegative_least_squares(crossing, std::vector<double>(crossing.size(), 1.0)).at(0);
  }
  return law;
}

PartitionCut partition_cut(const models::Topology& topology, const engine::Graph& graph, u32 ranks,
                           const std::string& partition) {
  if (ranks == 1) return {};
  models::PartOf part_of = models::named_partition(topology, ranks, partition).part_of;
  if (!part_of) part_of = models::part_of_table(engine::partition(graph, ranks, engine::partition_method(partition)));
  PartitionCut result;
  std::vector<u64> weight(ranks, 0);
  u64 total = 0;
  for (u32 v = 0; v < topology.routers(); ++v) {
    const u32 part = part_of(v);
    const u64 own = graph.vertex_weights.empty() ? 1 : graph.vertex_weights[v];
    weight[part] += own;
    total += own;
    for (u32 e = graph.offsets[v]; e < graph.offsets[v + 1]; ++e) {
      if (part_of(graph.edges[e]) != part) result.cut += graph.edge_weights.empty() ? 1 : graph.edge_weights[e];
    }
  }
  result.cut /= 2;
  result.imbalance = static_cast<double>(*std::ranges::max_element(weight)) * ranks / static_cast<double>(total);
  return result;
}

}  // namespace weft::tools
