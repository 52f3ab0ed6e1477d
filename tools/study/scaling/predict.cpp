// Work of a network on so many ranks, from measured work and the partition; see the header.
#include "tools/study/scaling/predict.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>
#include <unistd.h>

#include "engine/base/error.hpp"
#include "engine/base/text/numbers.hpp"
#include "models/core/layout.hpp"
#include "tools/run/config/application.hpp"
#include "tools/run/config/check/validate.hpp"
#include "tools/run/config/resolve.hpp"
#include "tools/study/scaling/trust.hpp"
#include "tools/study/scaling/work_law.hpp"

namespace weft::tools {
namespace {

constexpr double default_cache_bytes = 1 << 20;  // where the machine does not say

double cache_of_core(const ScalingStudy& study) {
  if (study.cache_bytes != 0) return static_cast<double>(study.cache_bytes);
  const long found = sysconf(_SC_LEVEL2_CACHE_SIZE);
  return found > 0 ? static_cast<double>(found) : default_cache_bytes;
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

/// `measured`: names of the study's networks.
void check_request(const Config& config, const models::Topology& topology, const std::set<std::string>& measured,
                   const PredictionRequest& request) {
  for (const std::string& setting : request.settings) {
    if (setting.starts_with("topology.")) continue;
    throw ConfigError(
        fmt::format("--predict {} is no setting of the topology (what other settings do to the number of events is not "
                    "known); make it part of the study",
                    setting));
  }
  if (request.ranks.back() > topology.routers()) {
    throw ConfigError(fmt::format("cannot predict {} ranks (the {} has {} routers); give fewer with --ranks",
                                  request.ranks.back(), topology.name(), topology.routers()));
  }
  if (measured.contains(topology.name())) return;
  if (ends_by_itself(config)) {
    throw ConfigError(
        fmt::format("cannot predict runs of the {} (its events are those of the workload {}, not of the "
                    "network); add that network to the study's sizes",
                    topology.name(), config.jobs().empty() ? config.text("workload.kind") : "of [[job]]"));
  }
  if (measured.size() < 2) {
    throw ConfigError(
        fmt::format("cannot predict the {} from runs of one other network (how events grow with the network "
                    "takes two at least); add sizes to the study",
                    topology.name()));
  }
}

/// The config that a request describes.
Config requested_config(const ScalingStudy& study, const PredictionRequest& request) {
  const Config config =
      request.settings.empty() ? study.config(study.sizes.back()) : Config::load(study.base, request.settings);
  validate(config);
  return config;
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
  warnings.push_back(fmt::format(
      "left out of the fit, points were predicted with a mean error of {} % (worst {} %), rank "
      "counts with one of {} % (worst {} %): expect no better here",
      significant(100 * fitted.left_out.mean, 2), significant(100 * fitted.left_out.worst, 2),
      significant(100 * fitted.held_out.back().mean, 2), significant(100 * fitted.held_out.back().worst, 2)));
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

/// The times of a run with a core for each rank.
PredictedPoint predicted_times(const PerformanceModel& fitted, const WorkLoad& work) {
  const PerformanceModel model = fitted.with_a_core_each(work.ranks);
  const auto seconds = model.parts(work);
  const auto of = [&](Term term) { return seconds[static_cast<std::size_t>(term)]; };
  PredictedPoint point;
  point.work = work;
  point.wall_s = model.wall_s(work);
  point.compute_s = of(Term::event) + of(Term::cache_miss);
  point.synchronise_s = of(Term::synchronise);
  point.message_s = of(Term::message);
  return point;
}

}  // namespace

std::vector<FittedModel> fit_models(const ScalingStudy& study, const std::vector<ScalingPoint>& points, u32 cores) {
  std::vector<FittedModel> all;
  const double cache = cache_of_core(study), node_bytes = bytes_per_node(points);
  for (const std::string& protocol : study.protocols) {
    FittedModel fitted;
    fitted.protocol = protocol;
    std::set<std::pair<std::size_t, u32>> places;
    for (const ScalingPoint& point : points) {
      if (point.cell.ranks > 1 && point.cell.protocol != protocol) continue;
      if (point.best.wall_s <= 0) continue;
      fitted.rows.push_back({measured_work(point, node_bytes), point.best.wall_s});
      places.emplace(point.cell.size_ix, point.cell.ranks);
    }
    if (fitted.rows.empty()) continue;
    fitted.model = fit_model(fitted.rows, cache, cores);
    fitted.places = places.size();
    fitted.fit = model_error(fitted.model, fitted.rows);
    fitted.left_out = leave_one_out(fitted.model, fitted.rows);
    fitted.held_out = held_out_errors(fitted.model, fitted.rows);
    all.push_back(std::move(fitted));
  }
  return all;
}

void check_predictable(const ScalingStudy& study, const PredictionRequest& request) {
  const auto topology_of = [](const Config& config) { return models::make_topology(topology_spec(config)); };
  std::set<std::string> networks;
  for (const StudySize& size : study.sizes) networks.insert(topology_of(study.config(size))->name());
  const Config config = requested_config(study, request);
  check_request(config, *topology_of(config), networks, request);
  for (const std::string& protocol : study.protocols) {
    std::set<std::pair<std::size_t, u32>> places;
    std::set<u32> rank_counts;
    for (const Cell& cell : study_cells(study)) {
      if (cell.ranks > 1 && cell.protocol != protocol) continue;
      places.emplace(cell.size_ix, cell.ranks);
      rank_counts.insert(cell.ranks);
    }
    check_enough(places.size(), rank_counts);
  }
}

Prediction predict(const ScalingStudy& study, const std::vector<ScalingPoint>& points, const FittedModel& fitted,
                   const PredictionRequest& request) {
  WEFT_ASSERT(!request.ranks.empty());
  std::set<u32> rank_counts;
  for (const ModelRow& row : fitted.rows) rank_counts.insert(row.work.ranks);
  check_enough(fitted.places, rank_counts);
  const Config config = requested_config(study, request);
  const NetworkFigures network = network_figures(config);
  std::set<std::string> measured;
  for (const ScalingPoint& point : points) measured.insert(point.best.topology);
  check_request(config, *network.topology, measured, request);
  Prediction result;
  result.network = network.topology->name();
  result.protocol = fitted.protocol;
  result.partition = study.partitions.front();
  result.nodes = network.topology->nodes();
  result.efficiency = request.efficiency;
  const WorkLaw law = work_law(study, points, network.nodes);
  const Measured range = measured_range(points, result.network);
  result.measured_ranks = range.most_ranks;
  result.most_trusted_ranks = trusted_stretch * range.most_ranks;
  const engine::Graph graph = models::router_graph(*network.topology);
  const bool outside = result.nodes < range.least_nodes || result.nodes > range.most_nodes;
  double events = law.events(network);
  for (const ScalingPoint& point : points) {
    if (point.best.topology == result.network) events = static_cast<double>(point.best.events);
  }
  std::vector<u32> ranks = request.ranks;
  if (ranks.front() != 1) ranks.insert(ranks.begin(), 1);
  double one_rank_s = 0;
  for (const u32 p : ranks) {
    WorkLoad work;
    work.ranks = p;
    work.events = events;
    work.windows = law.windows;
    work.bytes = bytes_per_node(points) * network.nodes;
    const PartitionCut parts = partition_cut(*network.topology, graph, p, result.partition);
    work.imbalance = parts.imbalance;
    if (network.links > 0) {
      work.remote_messages = law.messages * work.events * static_cast<double>(parts.cut) / network.links;
    }
    PredictedPoint point = predicted_times(fitted.model, work);
    point.edge_cut = parts.cut;
    if (p == 1) one_rank_s = point.wall_s;
    point.speed_up = point.wall_s > 0 ? one_rank_s / point.wall_s : 0;
    point.efficiency = point.speed_up / p;
    point.extrapolated = outside || p > range.most_ranks;
    if (p != 1 || request.ranks.front() == 1) result.points.push_back(point);
  }
  result.distrust = distrust_of(result, fitted, law, range.network);
  for (const PredictedPoint& point : result.points) {
    const bool trusted = result.distrust.empty() && point.work.ranks <= result.most_trusted_ranks;
    if (trusted && point.efficiency >= request.efficiency) result.worth_using = point.work.ranks;
  }
  result.warnings = warnings_of(result, range, fitted, ranks.back());
  return result;
}

}  // namespace weft::tools
