// Work of a network on so many ranks, from measured work and the partition; see the header.
#include "tools/scaling/predict.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unistd.h>

#include "engine/error.hpp"
#include "engine/partition.hpp"
#include "models/network/layout.hpp"
#include "models/topology/regular_partition.hpp"
#include "models/topology/topology.hpp"
#include "tools/config/resolve.hpp"
#include "tools/config/validate.hpp"
#include "tools/result/format.hpp"
#include "tools/scaling/least_squares.hpp"

namespace weft::tools {
namespace {

constexpr double usual_cache_bytes = 1 << 20;  // where the machine does not say

double cache_of_core(const ScalingStudy& study) {
  if (study.cache_bytes != 0) return static_cast<double>(study.cache_bytes);
  const long found = sysconf(_SC_LEVEL2_CACHE_SIZE);
  return found > 0 ? static_cast<double>(found) : usual_cache_bytes;
}

/// Growth of memory over nodes; the least, since small networks share a fixed part among few nodes.
double bytes_per_node(const std::vector<ScalingPoint>& points) {
  double least = 0;
  for (const ScalingPoint& point : points) {
    const auto found = static_cast<double>(point.best.bytes_per_node);
    if (found > 0 && (least == 0 || found < least)) least = found;
  }
  return least;
}

WorkLoad measured_work(const ScalingPoint& point, double node_bytes) {
  const RunRecord& run = point.best;
  WorkLoad work;
  work.ranks = run.ranks;
  work.events = static_cast<double>(run.events);
  work.imbalance = point.event_imbalance;
  work.windows = static_cast<double>(run.windows);
  work.remote_messages = static_cast<double>(run.remote_messages);
  work.bytes = node_bytes * static_cast<double>(run.nodes);
  return work;
}

/// What a partition does to a network.
struct Split {
  u64 cut = 0;  ///< links between ranks
  double imbalance = 1;
};

Split split(const models::Topology& topology, const engine::Graph& graph, u32 ranks, const std::string& partition) {
  if (ranks == 1) return {};
  models::PartOf part_of = models::named_partition(topology, ranks, partition).part_of;
  if (!part_of) part_of = models::part_of_table(engine::partition(graph, ranks, engine::partition_method(partition)));
  Split result;
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

struct Network {
  std::unique_ptr<models::Topology> topology;
  double nodes = 0, distance = 0, links = 0;
};

Network network_of(const Config& config) {
  Network network;
  network.topology = models::make_topology(topology_spec(config));
  network.nodes = network.topology->nodes();
  network.distance = network.topology->mean_distance();
  network.links = static_cast<double>(network.topology->router_links());
  return network;
}

/// How work grows with the network, from the sizes measured.
struct WorkLaw {
  double per_node = 0, per_distance = 0;  ///< events / node = per_node + per_distance * mean distance
  double messages = 0;                    ///< messages between ranks / (events * cut links / links)
  double windows = 0;                     ///< of the measured network nearest in nodes

  [[nodiscard]] double events(const Network& network) const {
    return network.nodes * (per_node + per_distance * network.distance);
  }
};

WorkLaw work_law(const ScalingStudy& study, const std::vector<ScalingPoint>& points, double nodes) {
  std::vector<std::vector<double>> a, crossing;
  std::vector<double> b, messages;
  double nearest = -1;
  WorkLaw law;
  for (const ScalingPoint& point : points) {
    const Network network = network_of(study.config(study.sizes[point.cell.size_ix]));
    const auto events = static_cast<double>(point.best.events);
    if (events <= 0) continue;
    // Relative errors count: divided by what was measured.
    a.push_back({network.nodes / events, network.nodes * network.distance / events});
    b.push_back(1);
    const double away = std::abs(std::log(network.nodes / nodes));
    if (nearest < 0 || away < nearest || (away == nearest && point.cell.ranks > 1)) {
      nearest = away;
      law.windows = static_cast<double>(point.best.windows);
    }
    if (point.best.remote_messages == 0 || network.links == 0) continue;
    const auto sent = static_cast<double>(point.best.remote_messages);
    crossing.push_back({events * static_cast<double>(point.best.edge_cut) / network.links / sent});
    messages.push_back(1);
  }
  const std::vector<double> x = nonnegative_least_squares(a, b);
  law.per_node = x.at(0);
  law.per_distance = x.at(1);
  if (!crossing.empty()) law.messages = nonnegative_least_squares(crossing, messages).at(0);
  return law;
}

void check_request(const Config& config, const std::vector<ScalingPoint>& points, const PredictionRequest& request,
                   const Network& network) {
  for (const std::string& setting : request.settings) {
    if (setting.starts_with("topology.")) continue;
    throw ConfigError("--predict " + setting +
                      " is no setting of the topology (what other settings do to the number of "
                      "events is not known); make it part of the study");
  }
  const bool measured = std::ranges::any_of(
      points, [&](const ScalingPoint& point) { return point.best.topology == network.topology->name(); });
  if (!measured && config.text("workload.kind") != "synthetic") {
    throw ConfigError("cannot predict runs of the " + network.topology->name() +
                      " (its events are those of the workload " + config.text("workload.kind") +
                      ", not of the network); add that network to the study's sizes");
  }
  if (request.ranks.back() > network.topology->routers()) {
    throw ConfigError("cannot predict " + std::to_string(request.ranks.back()) + " ranks (the " +
                      network.topology->name() + " has " + std::to_string(network.topology->routers()) +
                      " routers); give fewer with --ranks");
  }
}

struct Measured {
  u32 most_ranks = 1;
  u64 least_nodes = 0, most_nodes = 0;
  bool network = false;
};

Measured measured_range(const std::vector<ScalingPoint>& points, const std::string& network) {
  Measured range;
  for (const ScalingPoint& point : points) {
    // Ranks that shared a core say little about ranks that have one each.
    if (!point.oversubscribed) range.most_ranks = std::max(range.most_ranks, point.cell.ranks);
    range.least_nodes = range.least_nodes == 0 ? point.best.nodes : std::min(range.least_nodes, point.best.nodes);
    range.most_nodes = std::max(range.most_nodes, point.best.nodes);
    range.network = range.network || point.best.topology == network;
  }
  return range;
}

std::vector<std::string> warnings_of(const Prediction& prediction, const Measured& range, const FittedModel& fitted,
                                     u32 most_ranks) {
  std::vector<std::string> warnings;
  if (most_ranks > range.most_ranks) {
    warnings.push_back("more than " + std::to_string(range.most_ranks) + (range.most_ranks == 1 ? " rank" : " ranks") +
                       " with a core each were never measured: what is predicted beyond is extrapolated");
  }
  if (prediction.nodes < range.least_nodes || prediction.nodes > range.most_nodes) {
    warnings.push_back("networks of " + grouped(range.least_nodes) + " to " + grouped(range.most_nodes) +
                       " nodes were measured, this one has " + grouped(prediction.nodes) +
                       ": all of its times are extrapolated, and it must not saturate where those did not");
  } else if (!range.network) {
    warnings.push_back("this network was not measured: its events are estimated from nodes and mean distance");
  }
  if (!fitted.held_out.empty()) {
    const ModelError& error = fitted.held_out.back();
    warnings.push_back("rank counts that were left out of the fit were predicted with a mean error of " +
                       significant(100 * error.mean, 2) + " %, worst " + significant(100 * error.worst, 2) +
                       " %: expect no better here");
  }
  const auto free_of = [&](Term term) { return fitted.model.seconds[static_cast<std::size_t>(term)] == 0; };
  if (free_of(Term::synchronise) || free_of(Term::message)) {
    const std::string what = !free_of(Term::message)      ? "synchronisation"
                             : free_of(Term::synchronise) ? "synchronisation and of messages"
                                                          : "messages";
    warnings.push_back("the runs show no cost of " + what +
                       " apart from other costs: on many ranks, and between machines, there will be one");
  }
  return warnings;
}

}  // namespace

std::vector<FittedModel> fit_models(const ScalingStudy& study, const std::vector<ScalingPoint>& points, u32 cores) {
  std::vector<FittedModel> all;
  const double cache = cache_of_core(study), node_bytes = bytes_per_node(points);
  for (const std::string& protocol : study.protocols) {
    FittedModel fitted;
    fitted.protocol = protocol;
    for (const ScalingPoint& point : points) {
      if (point.cell.ranks > 1 && point.cell.protocol != protocol) continue;
      if (point.best.wall_s <= 0) continue;
      fitted.rows.push_back({measured_work(point, node_bytes), point.best.wall_s});
      fitted.parallel = fitted.parallel || point.cell.ranks > 1;
    }
    if (fitted.rows.empty()) continue;
    fitted.model = fit_model(fitted.rows, cache, cores);
    fitted.error = model_error(fitted.model, fitted.rows);
    fitted.held_out = held_out_errors(fitted.rows, cache, cores);
    all.push_back(std::move(fitted));
  }
  return all;
}

Prediction predict(const ScalingStudy& study, const std::vector<ScalingPoint>& points, const FittedModel& fitted,
                   const PredictionRequest& request) {
  WEFT_ASSERT(!request.ranks.empty());
  if (!fitted.parallel) {
    throw ConfigError(
        "nothing can be predicted (the study has no run of more than one rank); add rank counts to "
        "scaling.ranks");
  }
  const StudySize& last = study.sizes.back();
  const Config config = request.settings.empty() ? study.config(last) : Config::load(study.base, request.settings);
  validate(config);
  const Network network = network_of(config);
  check_request(config, points, request, network);
  Prediction result;
  result.network = network.topology->name();
  result.protocol = fitted.protocol;
  result.partition = study.partitions.front();
  result.nodes = network.topology->nodes();
  result.efficiency = request.efficiency;
  const WorkLaw law = work_law(study, points, network.nodes);
  const Measured range = measured_range(points, result.network);
  const engine::Graph graph = models::router_graph(*network.topology);
  PerformanceModel model = fitted.model;
  const bool outside = result.nodes < range.least_nodes || result.nodes > range.most_nodes;
  double one_rank_s = 0, events = law.events(network);
  for (const ScalingPoint& point : points) {
    if (point.best.topology == result.network) events = static_cast<double>(point.best.events);
  }
  std::vector<u32> ranks = request.ranks;
  if (ranks.front() != 1) ranks.insert(ranks.begin(), 1);
  for (const u32 p : ranks) {
    const Split parts = split(*network.topology, graph, p, result.partition);
    PredictedPoint point;
    point.edge_cut = parts.cut;
    WorkLoad& work = point.work;
    work.ranks = p;
    work.events = events;
    work.imbalance = parts.imbalance;
    work.windows = law.windows;
    work.remote_messages =
        network.links > 0 ? law.messages * work.events * static_cast<double>(parts.cut) / network.links : 0;
    work.bytes = bytes_per_node(points) * network.nodes;
    model.cores = p;  // a core for each rank
    const auto seconds = model.parts(work);
    const auto of = [&](Term term) { return seconds[static_cast<std::size_t>(term)]; };
    point.compute_s = of(Term::event) + of(Term::cache_miss);
    point.synchronise_s = of(Term::synchronise);
    point.message_s = of(Term::message);
    point.wall_s = model.wall_s(work);
    if (p == 1) one_rank_s = point.wall_s;
    point.speed_up = point.wall_s > 0 ? one_rank_s / point.wall_s : 0;
    point.efficiency = point.speed_up / p;
    point.extrapolated = outside || p > range.most_ranks;
    if (p == 1 && request.ranks.front() != 1) continue;
    if (point.efficiency >= request.efficiency) result.worth_using = p;
    result.points.push_back(point);
  }
  result.warnings = warnings_of(result, range, fitted, ranks.back());
  return result;
}

}  // namespace weft::tools
