// Estimates from counts of packets; see the header.
#include "tools/study/point_time.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "tools/run/config/application.hpp"
#include "tools/run/config/resolve.hpp"

namespace weft::tools::sweep {
namespace {

/// Packet-hops a second of one core, see docs/performance.md: half of what plain routers reach.
constexpr double hops_per_s = 2e6;
/// Start of a process with MPI, and set-up of a node.
constexpr double start_s = 0.5, node_s = 2e-6;

/// Cycles of a run that looks for its steady state.
double steady_cycles(const Config& config) {
  const auto real = [&config](const char* key) { return static_cast<double>(config.integer(key)); };
  const double usual = real("measure.warmup_cycles") + real("measure.intervals") * real("measure.interval_cycles") +
                       real("measure.batches") * real("measure.batch_cycles");
  return config.text("measure.method") == "mser" ? std::min(2 * usual, real("measure.max_cycles")) : usual;
}

/// Cycles of one run that does not end by itself.
double cycles_of_one(const Config& config) {
  const bool fixed = resolved_stop(config) == "cycles";
  return fixed ? static_cast<double>(config.integer("simulation.cycles")) : steady_cycles(config);
}

/// Packets that a run of synthetic traffic generates; nothing for other workloads.
std::optional<double> packets_of(const Config& config, double nodes) {
  if (runs_tasks(config)) return std::nullopt;
  const workloads::SourceRules rules = source_rules(config);
  if (rules.bursts != 0) return nodes * rules.burst_packets * static_cast<double>(rules.bursts);
  return nodes * rules.offered_load * cycles_of_one(config) / std::max(1.0, packet_lengths(config).mean());
}

double wall_of(const PointState& state) { return state.figure(figure_ix("wall_s")); }

}  // namespace

std::optional<double> planned_cycles(const Config& config) {
  if (runs_tasks(config) || source_rules(config).bursts != 0) return std::nullopt;
  return cycles_of_one(config) * static_cast<double>(config.integer("measure.seeds"));
}

void check_ranks(const SweepStudy& study, const std::vector<SweepPoint>& points,
                 const std::vector<std::optional<NetworkSize>>& sizes) {
  for (std::size_t ix = 0; ix < points.size(); ++ix) {
    if (!sizes[ix] || sizes[ix]->routers >= study.ranks()) continue;
    throw ConfigError(fmt::format(
        "{}: point {} ({}): ranks = {} are more than the {} routers of its network; give the sweep {} ranks or fewer",
        study.path, points[ix].index, point_text(study, points[ix]), study.ranks(), sizes[ix]->routers,
        sizes[ix]->routers));
  }
}

std::optional<double> estimated_seconds(const Config& config, const NetworkSize& size, u32 ranks) {
  const auto nodes = static_cast<double>(size.nodes);
  const std::optional<double> packets = packets_of(config, nodes);
  if (!packets) return std::nullopt;
  // Paths of low-radix networks are longer, those of high-radix networks shorter.
  const double hops = std::log2(std::max<double>(2, static_cast<double>(size.routers))) + 2;
  const double speed_up = std::max(1.0, 0.5 * ranks);
  const double runs = static_cast<double>(config.integer("measure.seeds"));
  return start_s + runs * (node_s * nodes + *packets * hops / hops_per_s / speed_up);
}

std::vector<std::optional<double>> estimated_seconds(const SweepStudy& study, const std::vector<SweepPoint>& points,
                                                     const std::vector<PointState>& states,
                                                     const std::vector<std::optional<NetworkSize>>& sizes) {
  std::vector<std::optional<double>> seconds;
  double estimated = 0, measured = 0, unknown = 0;
  u64 unknown_points = 0;
  for (std::size_t ix = 0; ix < points.size(); ++ix) {
    seconds.emplace_back();
    if (sizes[ix])
      seconds.back() = estimated_seconds(study.config.with(points[ix].settings), *sizes[ix], study.ranks());
    const double wall_s = wall_of(states[ix]);
    if (!std::isfinite(wall_s)) continue;
    if (seconds.back()) {
      estimated += *seconds.back();
      measured += start_s + wall_s;
    } else {
      unknown += start_s + wall_s;
      ++unknown_points;
    }
  }
  for (std::size_t ix = 0; ix < points.size(); ++ix) {
    const double wall_s = wall_of(states[ix]);
    if (std::isfinite(wall_s)) {
      seconds[ix] = start_s + wall_s;
    } else if (seconds[ix] && estimated > 0) {
      *seconds[ix] *= measured / estimated;
    } else if (!seconds[ix] && unknown_points > 0) {
      seconds[ix] = unknown / static_cast<double>(unknown_points);
    }
  }
  return seconds;
}

std::size_t tasks_for(const std::vector<std::optional<double>>& seconds, double task_s) {
  if (task_s <= 0) return std::max<std::size_t>(seconds.size(), 1);
  double tasks = 0;
  for (const std::optional<double>& one : seconds) tasks += one ? std::min(1.0, *one / task_s) : 1.0;
  return std::clamp<std::size_t>(static_cast<std::size_t>(std::ceil(tasks - 1e-9)), 1,
                                 std::max<std::size_t>(seconds.size(), 1));
}

}  // namespace weft::tools::sweep
