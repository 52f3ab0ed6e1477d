// The folder of a sweep: result, checkpoint and note of failure of each point, and points.json over all of them.
#include "tools/study/sweep_folder.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>

#include "engine/error.hpp"
#include "tools/result/atomic_file.hpp"
#include "tools/result/hdf5_result.hpp"

namespace weft::tools {
namespace {

namespace fs = std::filesystem;

constexpr double none = std::numeric_limits<double>::quiet_NaN();
constexpr const char* load_unit = "phits/node/cycle";

double last_finish(const RunResult& r) {
  return r.task_finish_cycles.empty() ? none
                                      : *std::max_element(r.task_finish_cycles.begin(), r.task_finish_cycles.end());
}

/// Numbers, texts, flags and lists are written alike in TOML and JSON, but for underscores in numbers.
nlohmann::ordered_json json_of(const std::string& value) {
  nlohmann::ordered_json read = nlohmann::ordered_json::parse(value, nullptr, false);
  return read.is_discarded() ? nlohmann::ordered_json(value) : read;
}

double mean_burst(const RunResult& r) {
  const double total = std::accumulate(r.burst_cycles.begin(), r.burst_cycles.end(), 0.0);
  return r.burst_cycles.empty() ? none : total / static_cast<double>(r.burst_cycles.size());
}

}  // namespace

const std::vector<SweepFigure>& sweep_figures() {
  using R = const RunResult&;
  static const std::vector<SweepFigure> figures = {
      {"load_offered", load_unit, [](R r) { return r.load_offered; }},
      {"load_injected", load_unit, [](R r) { return r.load_injected; }},
      {"load_accepted", load_unit, [](R r) { return r.load_accepted; }},
      {"load_accepted_stddev", load_unit, [](R r) { return r.load_accepted_stddev; }},
      {"load_accepted_ci95", load_unit, [](R r) { return r.load_accepted_ci95; }},
      {"latency_mean", "cycles", [](R r) { return r.latency_mean; }},
      {"latency_mean_ci95", "cycles", [](R r) { return r.latency_mean_ci95; }},
      {"latency_stddev", "cycles", [](R r) { return r.latency_stddev; }},
      {"latency_p50", "cycles", [](R r) { return r.latency_p50; }},
      {"latency_p99", "cycles", [](R r) { return r.latency_p99; }},
      {"latency_max", "cycles", [](R r) { return r.latency_max; }},
      {"latency_network_mean", "cycles", [](R r) { return r.latency_network_mean; }},
      {"distance_mean", "links", [](R r) { return r.distance_mean; }},
      {"cycles", "cycles", [](R r) { return static_cast<double>(r.cycles); }},
      {"converged", "", [](R r) { return r.measured ? static_cast<double>(r.converged) : none; }},
      {"completion_cycles", "cycles", last_finish},
      {"burst_mean_cycles", "cycles", mean_burst},
      {"exchange_share", "", [](R r) { return r.exchange.tasks > 0 ? r.exchange.mean / r.exchange.link : none; }},
      {"exchange_share_min", "", [](R r) { return r.exchange.tasks > 0 ? r.exchange.min / r.exchange.link : none; }},
      {"exchange_mib_per_s", "MiB/s", [](R r) { return r.exchange.tasks > 0 ? r.mib_per_s(r.exchange.mean) : none; }},
      {"out_of_order_share", "",
       [](R r) {
         return r.chooses_routes && r.packets_delivered > 0
                    ? static_cast<double>(r.routes.out_of_order) / static_cast<double>(r.packets_delivered)
                    : none;
       }},
      {"nodes", "", [](R r) { return static_cast<double>(r.nodes); }},
      {"packets_delivered", "packets", [](R r) { return static_cast<double>(r.packets_delivered); }},
      {"packets_dropped", "packets", [](R r) { return static_cast<double>(r.packets_dropped); }},
      // Of the process that came to the end, which may have gone on from a checkpoint.
      {"wall_s", "s", [](R r) { return r.engine.wall_s; }},
      {"resumed_from_cycle", "cycles", [](R r) { return static_cast<double>(r.resumed_cycles); }},
  };
  return figures;
}

std::size_t figure_ix(const std::string& name) {
  const auto& figures = sweep_figures();
  for (std::size_t ix = 0; ix < figures.size(); ++ix) {
    if (figures[ix].name == name) return ix;
  }
  throw Bug("figure " + name + " is asked for but not in the table");
}

std::string status_name(PointStatus status) {
  switch (status) {
    case PointStatus::done:
      return "done";
    case PointStatus::stopped:
      return "stopped";
    case PointStatus::failed:
      return "failed";
    case PointStatus::missing:
      return "missing";
  }
  throw Bug("a point status without a name");
}

std::string state_name(const PointState& state) {
  const bool unsettled = !state.figures.empty() && state.figures[figure_ix("converged")] == 0;
  return status_name(state.status) + (unsettled ? ", not converged" : "");
}

std::string SweepFolder::result(const SweepPoint& point) const {
  return fmt::format("{}/points/{}.h5", path, point.name);
}
std::string SweepFolder::checkpoint(const SweepPoint& point) const {
  return fmt::format("{}/points/{}.ckpt.h5", path, point.name);
}
std::string SweepFolder::failure(const SweepPoint& point) const {
  return fmt::format("{}/points/{}.failed.json", path, point.name);
}

void SweepFolder::create() const {
  for (const std::string& folder : {path + "/points", logs()}) {
    std::error_code failed;
    fs::create_directories(folder, failed);
    if (failed || !fs::is_directory(folder, failed)) {
      throw SystemError(
          fmt::format("cannot make the folder '{}' ({}); choose another one with out = \"...\" in the study", folder,
                      failed.message()));
    }
  }
}

PointState SweepFolder::state(const SweepPoint& point) const {
  PointState state;
  if (fs::exists(result(point))) {
    try {
      const RunResult read = read_hdf5(result(point));
      state.status = PointStatus::done;
      state.digest = read.digest;
      for (const SweepFigure& figure : sweep_figures()) state.figures.push_back(figure.of(read));
      return state;
    } catch (const InputError& damaged) {
      state.error = damaged.what();
    }
  }
  if (fs::exists(failure(point))) {
    std::ifstream file(failure(point));
    const nlohmann::json note = nlohmann::json::parse(file, nullptr, false);
    state.status = PointStatus::failed;
    if (note.is_object()) {
      state.exit_code = note.value("exit_code", 0);
      state.error = note.value("error", "");
    }
  } else if (fs::exists(checkpoint(point))) {
    state.status = PointStatus::stopped;
  }
  return state;
}

std::vector<PointState> SweepFolder::states(const std::vector<SweepPoint>& points) const {
  std::vector<PointState> all;
  for (const SweepPoint& point : points) all.push_back(state(point));
  return all;
}

void SweepFolder::note_failure(const SweepPoint& point, int exit_code, const std::string& error) const {
  const nlohmann::json note = {{"exit_code", exit_code}, {"error", error}};
  write_file_atomically(failure(point), note.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

void SweepFolder::clear(const SweepPoint& point, bool result_too) const {
  std::error_code ignored;
  fs::remove(checkpoint(point), ignored);
  fs::remove(failure(point), ignored);
  if (result_too) fs::remove(result(point), ignored);
}

std::string error_line(const std::string& error) {
  constexpr const char* mark = "weft: error";
  const std::size_t found = error.find(mark);
  if (found == std::string::npos) return error.substr(0, error.find('\n'));
  // "weft: error: " or "weft: error [rank 1]: "
  const std::size_t colon = error.find(": ", found + std::string(mark).size());
  const std::size_t begin = colon == std::string::npos ? found : colon + 2;
  return error.substr(begin, error.find('\n', begin) - begin);
}

void write_points_json(const SweepStudy& study, const std::vector<SweepPoint>& points,
                       const std::vector<PointState>& states) {
  const std::vector<std::string> keys = study.keys();
  std::string text = fmt::format(R"({{"format": 1, "sweep": {}, "points": [)", nlohmann::json(study.name).dump());
  for (std::size_t ix = 0; ix < points.size(); ++ix) {
    const PointState& state = states[ix];
    nlohmann::ordered_json line = {{"index", points[ix].index}, {"name", points[ix].name}};
    for (std::size_t key = 0; key < keys.size(); ++key) line["settings"][keys[key]] = json_of(points[ix].values[key]);
    line["status"] = status_name(state.status);
    line["exit_code"] = state.status == PointStatus::done || state.status == PointStatus::failed
                            ? nlohmann::ordered_json(state.exit_code)
                            : nlohmann::ordered_json(nullptr);
    if (!state.error.empty()) line["error"] = state.error;
    if (!state.digest.empty()) line["digest"] = state.digest;
    for (std::size_t figure = 0; figure < state.figures.size(); ++figure) {
      line[sweep_figures()[figure].name] = state.figures[figure];  // what is not finite becomes null
    }
    text += (ix > 0 ? ",\n" : "\n") + line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }
  write_file_atomically(SweepFolder{study.out}.points_json(), text + "\n]}\n");
}

}  // namespace weft::tools
