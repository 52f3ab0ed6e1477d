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

#include "engine/base/error.hpp"
#include "engine/base/file/atomic_file.hpp"
#include "tools/report/run_names.hpp"
#include "tools/result/figures.hpp"
#include "tools/result/hdf5_result.hpp"
#include "version.hpp"

namespace weft::tools::sweep {
namespace {

namespace fs = std::filesystem;

constexpr double none = std::numeric_limits<double>::quiet_NaN();
constexpr const char* aside = ".aside";

/// Numbers, texts, flags and lists are written alike in TOML and JSON, but for underscores in numbers.
nlohmann::ordered_json json_of(const std::string& value) {
  if (value.empty()) return nullptr;  // the point leaves the key as it is
  nlohmann::ordered_json read = nlohmann::ordered_json::parse(value, nullptr, false);
  return read.is_discarded() ? nlohmann::ordered_json(value) : read;
}

double mean_burst(const RunResult& r) {
  const double total = std::accumulate(r.burst_cycles.begin(), r.burst_cycles.end(), 0.0);
  return r.burst_cycles.empty() ? none : total / static_cast<double>(r.burst_cycles.size());
}

double out_of_order_share(const RunResult& r) {
  return r.chooses_routes && r.counts.delivered > 0
             ? static_cast<double>(r.counts.routes.out_of_order) / static_cast<double>(r.counts.delivered)
             : none;
}

/// A figure of results, by its name there, as a column of the table: under `column`, or its name with _ for dots.
SweepFigure of_figure(const std::string& name, std::string column = {}) {
  static const std::vector<AnyFigure> all = all_figures();
  const auto found = std::ranges::find(all, name, &AnyFigure::name);
  if (found == all.end()) throw Bug("figure " + name + " of sweeps is none of a result");
  if (column.empty()) std::ranges::replace_copy(name, std::back_inserter(column), '.', '_');
  return {column, found->unit, [&value = found->value](const RunResult& r) {
            const nlohmann::json number = value(r);
            return number.is_boolean() ? number.get<bool>() : number.is_number() ? number.get<double>() : none;
          }};
}

using Inputs = std::vector<std::pair<std::string, std::string>>;

/// The input that is another one now than in `then`, or in one of them only; empty if there is none. What could not be
/// read either time is taken for the same.
std::string first_changed(const Inputs& now, const Inputs& then) {
  const auto of = [](const Inputs& inputs, const std::string& path) {
    return std::ranges::find(inputs, path, &Inputs::value_type::first);
  };
  for (const auto& [path, hash] : now) {
    const auto before = of(then, path);
    if (before == then.end()) return path;
    if (!hash.empty() && !before->second.empty() && hash != before->second) return path;
  }
  for (const auto& [path, hash] : then) {
    if (of(now, path) == now.end()) return path;
  }
  return {};
}

/// For a result without a note, as older versions left it: the input that is another one in every sweep that was frozen
/// before the result was written and has the point; empty if there is no such sweep.
std::string first_changed_since_frozen(const SweepFolder& folder, const SweepPoint& point) {
  std::error_code ignored, ended;
  const auto written = fs::last_write_time(folder.result(point), ignored);
  std::string changed;
  for (fs::directory_iterator entry(fs::path(folder.path) / "frozen", ended), end; !ended && entry != end;
       entry.increment(ended)) {
    const fs::path path = entry->path() / "sweep.json";
    std::error_code failed;
    if (fs::last_write_time(path, failed) > written || failed) continue;
    std::ifstream file(path);
    const nlohmann::json sweep = nlohmann::json::parse(file, nullptr, false);
    try {
      const auto& points = sweep.at("points");
      const bool has_it = std::any_of(points.begin(), points.end(),
                                      [&](const nlohmann::json& one) { return one.at("name") == point.name; });
      if (!has_it) continue;
      Inputs then;
      for (const auto& [name, hash] : point.inputs) then.emplace_back(name, sweep.at("inputs").value(name, ""));
      changed = first_changed(point.inputs, then);
    } catch (const nlohmann::json::exception&) {
      continue;  // damaged: it says nothing
    }
    if (changed.empty()) return {};
  }
  return changed;
}

/// The input that has changed since the result of the point was made; empty if none is known to have.
std::string changed_input(const SweepFolder& folder, const SweepPoint& point) {
  if (point.inputs.empty()) return {};
  std::ifstream file(folder.inputs(point));
  if (!file) return first_changed_since_frozen(folder, point);
  try {
    return first_changed(point.inputs, nlohmann::json::parse(file).at("inputs").get<Inputs>());
  } catch (const nlohmann::json::exception&) {
    return {};
  }
}

}  // namespace

const std::vector<SweepFigure>& sweep_figures() {
  using R = const RunResult&;
  static const std::vector<SweepFigure> figures = [] {
    std::vector<SweepFigure> list;
    for (const char* name :
         {"load.offered",    "load.injected",     "load.accepted",  "load.accepted_stddev",  "load.accepted_ci95",
          "latency.mean",    "latency.mean_ci95", "latency.stddev", "latency.p50",           "latency.p90",
          "latency.p99",     "latency.p999",      "latency.max",    "latency.network_mean",  "distance.mean",
          "cycles",          "converged",         "saturated",      "load.untaken_fraction", "figures_from_cycle",
          "figures_to_cycle"})
      list.push_back(of_figure(name));
    list.push_back(of_figure("tasks.finish_cycles_max", "completion_cycles"));
    list.push_back({"burst_mean_cycles", "cycles", mean_burst});
    list.push_back(of_figure("exchange.link_share.mean", "exchange_share"));
    list.push_back(of_figure("exchange.link_share.min", "exchange_share_min"));
    list.push_back(of_figure("exchange.mib_per_s.mean", "exchange_mib_per_s"));
    list.push_back({"out_of_order_share", "", out_of_order_share});
    list.push_back({"cycle_ns", "ns", [](R r) { return r.cycle_ns > 0 ? r.cycle_ns : none; }});
    list.push_back({"phit_bytes", "bytes", [](R r) {
                      const double bytes = config_number(r, "packet", "phit_bytes");
                      return bytes > 0 ? bytes : none;
                    }});
    for (const char* name : {"nodes", "packets.delivered", "packets.dropped"}) list.push_back(of_figure(name));
    // Only of the process that came to the end, which may have gone on from a checkpoint.
    list.push_back(of_figure("engine.wall_s", "wall_s"));
    list.push_back(of_figure("resumed_from_cycle"));
    for (const char* name : {"load.accepted_ci", "latency.mean_ci"}) list.push_back(of_figure(name));
    return list;
  }();
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

bool not_converged(const PointState& state) {
  return !state.figures.empty() && state.figures[figure_ix("converged")] == 0;
}

bool is_saturated(const PointState& state) {
  return !state.figures.empty() && state.figures[figure_ix("saturated")] == 1;
}

std::string state_name(const PointState& state) {
  return status_name(state.status) + (not_converged(state) ? ", not converged" : "") +
         (is_saturated(state) ? ", saturated" : "") +
         (is_queued(state) ? fmt::format(", queued or running (job {})", state.job) : "");
}

void check_versions(const std::string& out, const std::vector<PointState>& states, bool all_alike) {
  u64 done = 0, others = 0;
  std::string wanted = all_alike ? "" : version, other;
  for (const PointState& state : states) {
    if (state.status != PointStatus::done) continue;
    ++done;
    if (wanted.empty()) wanted = state.version;
    if (state.version == wanted) continue;
    if (others++ == 0) other = state.version;
  }
  if (others == 0) return;
  throw InputError(fmt::format(
      "{} of {} results in '{}' are of another version of weft ({}; {} {}; one table must not mix them); run the sweep "
      "with --rerun, or keep them and choose another folder with out = \"...\" in the study",
      others, done, out, other, all_alike ? "others are of" : "this is", wanted));
}

std::string SweepFolder::stem(const SweepPoint& point) const { return fmt::format("{}/points/{}", path, point.name); }
std::string SweepFolder::result(const SweepPoint& point) const { return stem(point) + ".h5"; }
std::string SweepFolder::checkpoint(const SweepPoint& point) const { return stem(point) + ".ckpt.h5"; }
std::string SweepFolder::failure(const SweepPoint& point) const { return stem(point) + ".failed.json"; }
std::string SweepFolder::inputs(const SweepPoint& point) const { return stem(point) + ".inputs.json"; }

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
  const bool has_result = fs::exists(result(point));
  const std::string changed = has_result ? changed_input(*this, point) : "";
  if (!changed.empty()) {
    state.error = fmt::format("'{}' has changed since its result was made", changed);
  } else if (has_result) {
    try {
      const RunResult read = read_hdf5(result(point));
      state.status = PointStatus::done;
      state.digest = read.digest;
      state.version = read.version;
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
  files::write_file_atomically(failure(point),
                               note.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

void SweepFolder::note_inputs(const SweepPoint& point) const {
  if (point.inputs.empty()) return;
  const nlohmann::json note = {{"inputs", point.inputs}};
  files::write_file_atomically(inputs(point),
                               note.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

void SweepFolder::clear(const SweepPoint& point, bool result_too) const {
  std::error_code ignored;
  fs::remove(checkpoint(point), ignored);
  fs::remove(failure(point), ignored);
  if (!result_too) return;
  fs::remove(result(point), ignored);
  fs::remove(inputs(point), ignored);
}

SetAside::~SetAside() {
  std::error_code ignored;
  for (const std::string& path : taken_) fs::rename(path + aside, path, ignored);
}

void SetAside::take(const SweepFolder& folder, const SweepPoint& point) {
  for (const std::string& path :
       {folder.result(point), folder.inputs(point), folder.checkpoint(point), folder.failure(point)}) {
    std::error_code failed;
    if (!fs::exists(path, failed)) continue;
    fs::rename(path, path + aside, failed);
    if (failed) throw SystemError(fmt::format("cannot rename '{}' ({}); check its folder", path, failed.message()));
    taken_.push_back(path);
  }
}

void SetAside::forget() {
  std::error_code ignored;
  for (const std::string& path : taken_) fs::remove(path + aside, ignored);
  taken_.clear();
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
    if (is_queued(state)) line["job"] = state.job;
    if (!state.digest.empty()) line["digest"] = state.digest;
    for (std::size_t figure = 0; figure < state.figures.size(); ++figure) {
      line[sweep_figures()[figure].name] = state.figures[figure];  // what is not finite becomes null
    }
    text += (ix > 0 ? ",\n" : "\n") + line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }
  files::write_file_atomically(SweepFolder{study.out}.points_json(), text + "\n]}\n");
}

}  // namespace weft::tools::sweep
