// Pilots of a sweep; see the header.
#include "tools/study/sweep_estimate.hpp"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <thread>

#include "engine/base/file/temporary_folder.hpp"
#include "engine/base/system/run_weft.hpp"
#include "tools/run/config/output_keys.hpp"
#include "tools/study/point_time.hpp"
#include "tools/study/sweep_search.hpp"

namespace weft::tools::sweep {
namespace {

constexpr const char* offered_load = "workload.offered_load";
constexpr const char* load_setting = "workload.offered_load=";
constexpr const char* seed_setting = "simulation.seed=";
/// Sweeps that are estimated to be shorter start at once.
constexpr double least_pilot_s = 10;
constexpr std::size_t most_piloted = 16;
constexpr double pilot_share = 8, least_cycles = 500, most_cycles = 3000;

struct LoadPoint {
  std::size_t ix = 0;  ///< in the table
  double load = 0, cycles = 0;
};

/// Points that differ in their load and seed alone.
struct LoadCurve {
  std::vector<LoadPoint> points;
  LoadPoint lowest, highest;
  PilotCost low, high;
  bool piloted = false;
};

std::vector<LoadCurve> load_curves(const SweepTable& table, const std::vector<std::size_t>& chosen) {
  std::map<std::vector<std::string>, LoadCurve> curves;
  for (const std::size_t ix : chosen) {
    const Config config = table.study.config.with(table.points[ix].settings);
    const auto cycles = planned_cycles(config);
    if (!cycles) continue;
    std::vector<std::string> rest = table.points[ix].settings;
    std::erase_if(rest, [](const auto& one) { return one.starts_with(load_setting) || one.starts_with(seed_setting); });
    curves[rest].points.push_back({ix, config.real(offered_load), *cycles});
  }
  std::vector<LoadCurve> all;
  for (auto& [rest, curve] : curves) {
    curve.lowest = *std::ranges::min_element(curve.points, {}, &LoadPoint::load);
    curve.highest = *std::ranges::max_element(curve.points, {}, &LoadPoint::load);
    all.push_back(std::move(curve));
  }
  return all;
}

/// One pilot; false if it fails, which its point will say in its own time.
bool run_pilot(const SweepTable& table, const LoadPoint& at, const std::string& weft, PilotCost& cost) {
  const SweepPoint& point = table.points[at.ix];
  const double cycles = std::min(at.cycles, std::clamp(at.cycles / pilot_share, least_cycles, most_cycles));
  process::RunRequest request{table.study.base,   point.settings, table.study.processes, "", "", true,
                              table.study.threads};
  request.settings.insert(request.settings.end(), {"simulation.stop=\"cycles\"", "measure.seeds=1",
                                                   fmt::format("simulation.cycles={:.0f}", cycles)});
  const files::TemporaryFolder thrown_away("pilot");
  for (std::string& record : records_beside(table.study.config.with(point.settings), thrown_away.path() + "/pilot"))
    request.settings.push_back(std::move(record));
  const process::RunOutcome outcome = process::run_weft(weft, request);
  if (outcome.exit_code != 0) return false;
  const nlohmann::json& engine = outcome.summary.at("engine");
  double cpu_s = 0;
  for (const nlohmann::json& rank : engine.at("cpu_s")) cpu_s += rank.get<double>();
  const auto number = [](const nlohmann::json& value) { return value.is_number() ? value.get<double>() : 0.0; };
  const double accepted = number(outcome.summary.at("load").at("accepted"));
  // Nothing arrives in the time that the first packets take.
  const double latency = std::min(number(outcome.summary.at("latency").at("mean")), cycles / 2);
  cost.accepted = accepted * cycles / (cycles - latency);
  cost.cycle_s = cpu_s / cycles;
  cost.beside_s = std::max(0.0, outcome.wall_s - number(engine.at("wall_s"))) * table.study.ranks();
  return true;
}

/// Runs the pilots of some curves, a few at once.
void run_pilots(const SweepTable& table, std::vector<LoadCurve>& curves, const std::string& weft, u32 jobs) {
  const std::size_t count = std::min(curves.size(), most_piloted);
  std::atomic<std::size_t> next = 0;
  std::vector<std::thread> workers;
  for (u32 worker = 0; worker < std::min<std::size_t>(jobs, count); ++worker) {
    workers.emplace_back([&] {
      for (std::size_t at = next++; at < count; at = next++) {
        LoadCurve& curve = curves[at * curves.size() / count];
        const bool is_one_point = curve.lowest.ix == curve.highest.ix;
        try {
          curve.piloted = run_pilot(table, curve.highest, weft, curve.high) &&
                          (is_one_point || run_pilot(table, curve.lowest, weft, curve.low));
        } catch (const std::exception&) {
          curve.piloted = false;  // its points will say why
        }
        if (is_one_point) curve.low = curve.high;
      }
    });
  }
  for (std::thread& worker : workers) worker.join();
}

/// A point that the search adds to a curve: bisection and the longest pieces of curves are near saturation.
double later_seconds(const LoadCurve& curve) {
  constexpr double near = 0.95;
  const bool saturates = curve.high.accepted < near * curve.highest.load;
  const double load = saturates ? near * curve.high.accepted : (curve.highest.load + curve.lowest.load) / 2;
  return run_seconds(curve.low, curve.high, curve.highest.cycles, load);
}

double sum_of_known(const std::vector<std::optional<double>>& seconds, const std::vector<std::size_t>& chosen) {
  return std::accumulate(chosen.begin(), chosen.end(), 0.0,
                         [&](double sum, std::size_t ix) { return sum + seconds[ix].value_or(0); });
}

}  // namespace

double run_seconds(const PilotCost& low, const PilotCost& high, double cycles, double load) {
  const double apart = high.accepted - low.accepted;
  const double slope = apart > 0 ? std::max(0.0, (high.cycle_s - low.cycle_s) / apart) : 0;
  const double taken = std::min(load, std::max(low.accepted, high.accepted));
  return high.beside_s + cycles * std::max(0.0, high.cycle_s + slope * (taken - high.accepted));
}

SweepEstimate estimate_of(const SweepTable& table, const std::vector<std::optional<NetworkSize>>& sizes,
                          const std::vector<std::size_t>& chosen, const std::string& weft, u32 jobs) {
  const SweepStudy& study = table.study;
  const auto seconds = estimated_seconds(study, table.points, table.states, sizes);
  SweepEstimate estimate;
  estimate.later = points_to_come(study, table.points.size());
  for (const std::size_t ix : chosen) estimate.unknown += seconds[ix] ? 0 : 1;
  const double known = sum_of_known(seconds, chosen), points = static_cast<double>(chosen.size() - estimate.unknown);
  if (!(points > 0)) return estimate;
  const auto later = static_cast<double>(estimate.later);
  const double runs_s = known * (points + later) / points;
  estimate.cpu_s = runs_s * study.ranks();
  const bool all_new = table.count(PointStatus::done) == 0;
  const bool over_load = !study.search || study.search->key == offered_load;
  if (!all_new || !over_load || runs_s < least_pilot_s) return estimate;
  std::vector<LoadCurve> curves = load_curves(table, chosen);
  run_pilots(table, curves, weft, jobs);
  double piloted = 0, guessed = 0, of_later = 0, piloted_points = 0;
  for (const LoadCurve& curve : curves) {
    if (!curve.piloted) continue;
    for (const LoadPoint& at : curve.points) {
      piloted += run_seconds(curve.low, curve.high, at.cycles, at.load);
      guessed += seconds[at.ix].value_or(0);
    }
    of_later += later_seconds(curve) * static_cast<double>(curve.points.size());
    piloted_points += static_cast<double>(curve.points.size());
  }
  // The guess is as wrong about points without a pilot as it is about the others.
  if (guessed > 0) estimate.cpu_s = known * piloted / guessed + later * of_later / piloted_points;
  return estimate;
}

}  // namespace weft::tools::sweep
