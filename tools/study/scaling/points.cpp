// From runs to figures; see the header.
#include "tools/study/scaling/points.hpp"

#include <algorithm>

#include "engine/base/deviation.hpp"

namespace weft::tools {
namespace {

double mean_or_none(const std::vector<double>& values) { return values.empty() ? 0 : stats::mean_of(values); }

double ratio(double value, double by) { return by > 0 ? value / by : 0; }

ScalingPoint point_of(const std::vector<const RunRecord*>& runs, const Cell& cell, u32 cores) {
  ScalingPoint point;
  point.cell = cell;
  const auto [least, most] = std::ranges::minmax_element(runs, {}, [](const RunRecord* run) { return run->wall_s; });
  const RunRecord& best = point.best = **least;
  point.runs = static_cast<u32>(runs.size());
  point.oversubscribed = cell.ranks > cores;
  point.spread = ratio((*most)->wall_s - best.wall_s, best.wall_s);
  point.events_per_s = ratio(static_cast<double>(best.events), best.wall_s);
  point.packet_hops_per_s = ratio(static_cast<double>(best.packet_hops), best.wall_s);
  point.exchange_share = std::clamp(ratio(mean_or_none(best.exchange_s), best.wall_s), 0.0, 1.0);
  point.waiting_share = std::clamp(ratio(mean_or_none(best.blocked_s), best.wall_s), 0.0, 1.0 - point.exchange_share);
  point.compute_share = 1 - point.exchange_share - point.waiting_share;
  point.remote_fraction = ratio(static_cast<double>(best.remote_messages), static_cast<double>(best.events));
  if (!best.rank_events.empty() && best.events > 0) {
    point.event_imbalance = static_cast<double>(*std::ranges::max_element(best.rank_events)) *
                            static_cast<double>(best.rank_events.size()) / static_cast<double>(best.events);
  }
  if (!best.rss_bytes.empty()) point.bytes_per_rank = static_cast<double>(*std::ranges::max_element(best.rss_bytes));
  return point;
}

/// Whether `other` can lie on one line with a point of more than one rank.
bool in_series(const ScalingStudy& study, const Cell& cell, std::size_t size_ix, const std::string& protocol,
               const std::string& partition) {
  if (study.kind == ScalingKind::strong && cell.size_ix != size_ix) return false;
  return cell.ranks == 1 || (cell.protocol == protocol && cell.partition == partition);
}

void compare(ScalingPoint& point, const ScalingPoint& base, ScalingKind kind) {
  const double base_ranks = base.cell.ranks;
  const double faster = kind == ScalingKind::strong ? ratio(base.best.wall_s, point.best.wall_s)
                                                    : ratio(point.events_per_s, base.events_per_s);
  point.speed_up = base_ranks * faster;
  point.efficiency = point.speed_up / point.cell.ranks;
  if (point.speed_up > 0) point.serial_fraction = karp_flatt(point.speed_up, point.cell.ranks);
}

}  // namespace

std::optional<double> karp_flatt(double speed_up, u32 p) {
  if (p < 2) return std::nullopt;
  const double part = 1.0 / p;
  return (1 / speed_up - part) / (1 - part);
}

std::vector<ScalingPoint> scaling_points(const ScalingStudy& study, const RunLog& log) {
  std::vector<ScalingPoint> points;
  for (const Cell& cell : study_cells(study)) {
    std::vector<const RunRecord*> runs;
    for (u32 repeat = 0; repeat < study.repeats; ++repeat) {
      if (const RunRecord* run = log.find(study, cell, repeat)) runs.push_back(run);
    }
    if (!runs.empty()) points.push_back(point_of(runs, cell, log.cores));
  }
  for (ScalingPoint& point : points) {
    const Cell& cell = point.cell;
    const ScalingPoint* base = nullptr;
    for (const ScalingPoint& other : points) {
      if (!in_series(study, other.cell, cell.size_ix, cell.protocol, cell.partition)) continue;
      if (base == nullptr || other.cell.ranks < base->cell.ranks) base = &other;
    }
    if (base != nullptr) compare(point, *base, study.kind);
  }
  return points;
}

std::vector<ScalingSeries> scaling_series(const ScalingStudy& study, const std::vector<ScalingPoint>& points) {
  std::vector<ScalingSeries> all;
  const std::size_t sizes = study.kind == ScalingKind::strong ? study.sizes.size() : 1;
  const bool strong = study.kind == ScalingKind::strong;
  for (std::size_t size_ix = 0; size_ix < sizes; ++size_ix) {
    for (const std::string& protocol : study.protocols) {
      for (const std::string& partition : study.partitions) {
        // Only what differs between the lines is in their names.
        std::string label = strong ? study.sizes[size_ix].name : "";
        const auto add = [&label](const std::string& word) { label += (label.empty() ? "" : ", ") + word; };
        if (study.protocols.size() > 1 || !strong) add(protocol);
        if (study.partitions.size() > 1) add(partition);
        ScalingSeries series{label, {}};
        for (const ScalingPoint& point : points) {
          if (in_series(study, point.cell, size_ix, protocol, partition)) series.points.push_back(&point);
        }
        std::ranges::stable_sort(series.points, {}, [](const ScalingPoint* point) { return point->cell.ranks; });
        if (!series.points.empty()) all.push_back(std::move(series));
      }
    }
  }
  return all;
}

}  // namespace weft::tools
