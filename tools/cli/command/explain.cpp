// `weft explain`: where the time of tasks goes, and for whom they wait, on one network or several. Runs what is to be
// explained, each with a timeline in a temporary file.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/file/atomic_file.hpp"
#include "engine/base/file/standard_output.hpp"
#include "engine/base/file/temporary_folder.hpp"
#include "engine/base/log.hpp"
#include "engine/base/text/shown.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/command_files.hpp"
#include "tools/cli/common_options.hpp"
#include "tools/cli/fabric_choice.hpp"
#include "tools/report/explain/explained_run.hpp"
#include "tools/run/config/application.hpp"
#include "tools/run/config/check/validate.hpp"
#include "tools/run/config/jobs.hpp"
#include "tools/run/progress.hpp"
#include "tools/run/simulate.hpp"

namespace weft::tools {
namespace {

struct ExplainOptions {
  std::vector<std::string> inputs;     ///< configs, which are run, and timelines NAME.h5 of runs
  std::vector<std::string> overrides;  ///< of all configs
  std::string trace;                   ///< in place of the workload of the configs
  std::vector<std::string> out;        ///< .html, .csv or .json, each by its ending
  std::string json;                    ///< as .json; "-": standard output, which then holds nothing else; empty: none
  std::string progress = "auto";       ///< auto, always or never
  bool no_ideal = false;               ///< programs are not run on an ideal network as well
  LogChoice messages;
};

namespace fs = std::filesystem;
using explain::ExplainedRun;
using explain::IdealRun;

/// Rows of the timeline of a run on the page: two bytes to eight each.
constexpr u64 most_drawn = 3'000'000;
/// Records of a run, 72 bytes each, where the config says nothing.
constexpr const char* default_records = "statistics.most_timeline=40000000";

constexpr const char* no_checkpoint = "what is explained is run to its end";

bool is_statistic(const std::string& key) { return key.starts_with("statistics."); }
/// Keys for files that `weft run` writes, and for more runs than the one that is explained.
bool is_for_other_files(const std::string& key) {
  return key.starts_with("checkpoint.") || key.starts_with("statistics.event") || key == "statistics.matches" ||
         key == "statistics.timeline" || key == "measure.seeds";
}

bool is_config(const std::string& path) { return fs::path(path).extension() == ".toml"; }
bool is_page(const std::string& path) { return fs::path(path).extension() == ".html"; }

/// A folder of rank 0 that all ranks know, and that goes when the command ends.
class TimelineFolder {
 public:
  explicit TimelineFolder(engine::Transport& transport) {
    if (transport.rank() == 0) own_.emplace("timelines");
    path_ = own_ ? own_->path() : "";
    std::vector<std::byte> bytes(path_.size());
    std::memcpy(bytes.data(), path_.data(), path_.size());
    transport.broadcast(bytes);
    path_.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::optional<files::TemporaryFolder> own_;  ///< on rank 0
  std::string path_;
};

/// What of a config the time of its program on an ideal network depends on.
std::string program_key(const Config& config) {
  const nlohmann::json all = json_in_use(config);
  std::string key;
  for (const char* table : {"workload", "job", "packet", "node"}) {
    if (all.contains(table)) key += all[table].dump();
  }
  return key;
}

/// Jobs (or "" without jobs) whose computing is a wait for times that their program gives.
std::set<std::string> jobs_that_keep_time(const Config& config) {
  const auto keeps_time = [](const Config& of) {
    return of.text("workload.kind") == "trace" && of.text("workload.mode") == "recorded";
  };
  std::set<std::string> names;
  const std::vector<Job> jobs = jobs_of(config);
  if (jobs.empty() && keeps_time(config)) names.insert("");
  for (const Job& job : jobs) {
    if (keeps_time(job.config)) names.insert(job.name);
  }
  return names;
}

/// What a config gives in cycles, on a network whose cycles are ns: what is the tasks' own lasts as long, what is the
/// network's takes no time, and nothing ends the run but its program.
void add_in_cycles(const Config& config, double cycle_ns, std::vector<std::string>& more) {
  for (const char* key : {"simulation.max_cycles", "simulation.cycles"}) {
    if (config.given(key)) more.push_back(fmt::format("{}=0", key));
  }
  if (config.given("simulation.stop")) more.emplace_back("simulation.stop=auto");
  for (const char* key : {"workload.send_gap_cycles", "workload.local_latency_cycles"}) {
    if (config.given(key)) more.push_back(fmt::format("{}=0", key));
  }
  const std::string turnaround = "workload.turnaround_cycles";
  if (!config.given(turnaround)) return;
  more.push_back(
      fmt::format("{}={}", turnaround, std::llround(static_cast<double>(config.integer(turnaround)) * cycle_ns)));
}

class Explainer {
 public:
  Explainer(const ExplainOptions& options, engine::Transport& transport)
      : options_(options),
        transport_(transport),
        folder_(transport),
        progress_(progress_mode(options.messages.quiet ? "never" : options.progress)),
        draws_(std::ranges::any_of(options.out, is_page)) {}

  void run_config(const Config& config, const std::string& name) {
    const std::string timeline = folder_.file("timeline.h5");
    std::vector<std::string> more = {"statistics.timeline=" + timeline};
    if (!config.given("statistics.most_timeline")) more.emplace_back(default_records);
    const Config one_run = config.without(is_for_other_files);
    const RunResult result = simulate(one_run.with(more), transport_, progress(), {}, {"", no_checkpoint});
    if (!is_first()) return;
    const std::size_t first = runs.size();
    read_timeline(timeline, name);
    const std::span<ExplainedRun> made = std::span(runs).subspan(first);
    const std::set<std::string> timed = jobs_that_keep_time(config);
    bool computes = false;
    for (ExplainedRun& run : made) {
      run.computes = !timed.contains(run.job.name) && run.job.all_tasks().of(explain::Part::compute) > 0;
      computes = computes || run.computes;
    }
    std::map<std::string, IdealRun> ideal;
    if (computes && !options_.no_ideal) ideal = ideal_runs(one_run, result.nodes, made.front().frame);
    for (ExplainedRun& run : made) {
      const auto known = ideal.find(run.job.name);
      if (known != ideal.end() && run.frame.tick_ns > 0) run.ideal = known->second;
      const bool needed = computes && run.computes;
      run.no_ideal = !needed || run.ideal.time > 0 ? "" : options_.no_ideal ? "--no-ideal" : why_not_;
    }
  }

  /// On rank 0.
  void read_timeline(const std::string& path, const std::string& name) {
    const timeline::TimelineReader reader(path);
    std::vector<explain::JobExplanation> jobs = explain::explain(reader, draws_ ? most_drawn : 0);
    for (explain::JobExplanation& job : jobs) {
      ExplainedRun run;
      run.name = job.name.empty() ? name : name + ": " + job.name;
      run.frame = reader.frame();
      run.job = std::move(job);
      run.no_ideal = "a timeline alone does not say what was run; explain its config";
      if (run.job.all_tasks().of(explain::Part::compute) == 0) run.no_ideal.clear();
      runs.push_back(std::move(run));
    }
  }

  void finish() { progress_.finish(); }

  std::vector<ExplainedRun> runs;

 private:
  [[nodiscard]] bool is_first() const { return transport_.rank() == 0; }
  [[nodiscard]] Progress* progress() { return is_first() ? &progress_ : nullptr; }

  /// What each job (or "" without jobs) does on a network on which messages cost nothing; times in ns. Empty, with
  /// `why_not_` set, where the program cannot run there. By rank 0 alone: where messages take no time, ranks would
  /// synchronise at each of them.
  std::map<std::string, IdealRun> ideal_runs(const Config& config, u64 nodes, const timeline::TimelineFrame& frame) {
    const double cycle_ns = frame.tick_ns * static_cast<double>(frame.ticks_per_cycle);
    const std::string key = fmt::format("{} {}", program_key(config), cycle_ns);
    const auto known = ideal_.find(key);
    if (known != ideal_.end()) return known->second;
    std::map<std::string, IdealRun> found;
    std::vector<std::string> more = {"topology.kind=ideal",      fmt::format("topology.nodes={}", nodes),
                                     "ideal.latency_ns=0",       "ideal.overhead_ns=0",
                                     "ideal.gap_ns=0",           "ideal.byte_gap_ns=0",
                                     "ideal.byte_overhead_ns=0", "ideal.rendezvous_bytes=0",
                                     "router.kind=ideal",        "router.routing=direct"};
    if (config.given("placement.policy")) more.emplace_back("placement.policy=consecutive");
    if (config.given("workload.cpu_scale"))
      more.push_back(fmt::format("workload.cpu_scale={}", config.real("workload.cpu_scale")));
    add_in_cycles(config, cycle_ns, more);
    const bool lanes = std::ranges::any_of(frame.jobs, [](const auto& job) { return !job.linear; });
    const std::string file = folder_.file("ideal.h5");
    if (lanes) {
      more.push_back("statistics.timeline=" + file);
      more.emplace_back(default_records);
    }
    try {
      const Config ideal = config.without(is_statistic).with(more);
      validate(ideal, UnusedKeys::noted);
      const auto alone = engine::single_process();
      const RunResult result = simulate(ideal, *alone, progress(), {}, {"", no_checkpoint});
      for (const JobRow& job : result.jobs) found[job.name].time = job.duration() * result.cycle_ns;
      const std::vector<double> finished = result.finished_cycles();
      if (result.jobs.empty() && !finished.empty()) found[""].time = std::ranges::max(finished) * result.cycle_ns;
      if (lanes) add_computing(file, found);
    } catch (const ConfigError& error) {
      why_not_ = error.what();
    }
    ideal_[key] = found;
    return found;
  }

  /// What lanes, which overlap otherwise there, compute by a timeline.
  static void add_computing(const std::string& file, std::map<std::string, IdealRun>& found) {
    const timeline::TimelineReader reader(file);
    for (const explain::JobExplanation& job : explain::explain(reader)) {
      IdealRun& ideal = found[job.name];
      for (const explain::Parts& parts : job.tasks) {
        const double computed = reader.frame().time(parts.of(explain::Part::compute));
        ideal.mean_computed += computed / static_cast<double>(job.tasks.size());
        ideal.most_computed = std::max(ideal.most_computed, computed);
      }
    }
  }

  const ExplainOptions& options_;
  engine::Transport& transport_;
  TimelineFolder folder_;
  Progress progress_;
  bool draws_;
  std::map<std::string, std::map<std::string, IdealRun>> ideal_;  ///< by program and length of a cycle
  std::string why_not_;
};

/// The path of a trace as a config has it: from its folder, or absolute.
std::string seen_from(const std::string& config, const std::string& trace) {
  const fs::path absolute = fs::absolute(trace);
  const std::string near = fs::proximate(absolute, fs::absolute(config).parent_path()).string();
  return near.starts_with("..") ? absolute.string() : near;
}

/// The config of a run that is explained, of tasks.
Config config_of(const ExplainOptions& options, const std::string& path) {
  std::vector<std::string> overrides;
  if (!options.trace.empty()) {
    overrides = {"workload.kind=trace", "simulation.stop=workload-complete",
                 fmt::format("workload.path={}", nlohmann::json(seen_from(path, options.trace)).dump())};
  }
  overrides.insert(overrides.end(), options.overrides.begin(), options.overrides.end());
  const Config config = Config::load(path, overrides);
  if (config.jobs().empty() && !runs_tasks(config)) {
    throw ConfigError(
        fmt::format("'{}' has no tasks (workload.kind = \"{}\"); give a trace that its network replays, "
                    "--trace FILE, or another workload, --set workload.kind=...",
                    shown(path), config.text("workload.kind")));
  }
  return config;
}

void write_explained(const std::vector<ExplainedRun>& runs, const ExplainOptions& options) {
  for (const std::string& path : options.out) {
    const std::string ending = fs::path(path).extension().string();
    const std::string content = ending == ".html"  ? page_of(runs)
                                : ending == ".csv" ? csv_of(runs)
                                                   : json_of(runs).dump(1) + "\n";
    files::write_file_atomically(path, content);
  }
  if (options.json == "-") return files::print(json_of(runs).dump(1) + "\n");
  if (!options.json.empty())
    files::write_file_atomically(options.json, json_of(runs).dump(1) + "\n", files::Streams::allowed);
  files::print(text_of(runs));
}

/// Throws if that is no timeline: most likely a trace, which is replayed on a network.
void check_timeline(const std::string& path) {
  constexpr std::string_view hdf5 = "\x89HDF\r\n\x1a\n";
  std::error_code error;
  const bool folder = fs::is_directory(path, error);
  if (!folder && !fs::is_regular_file(path, error)) return;
  std::string begin(hdf5.size(), '\0');
  if (!folder) std::ifstream(path, std::ios::binary).read(begin.data(), static_cast<std::streamsize>(begin.size()));
  if (begin == hdf5) return;
  throw InputError(fmt::format(
      "'{}' is {} (wanted configs, or timelines that runs wrote by statistics.timeline = \"NAME.h5\"); a trace is "
      "replayed on networks: weft explain NETWORK.toml --trace {}",
      shown(path), folder ? "a folder" : "no HDF5 file", shown(path)));
}

void check_files(const ExplainOptions& options, const std::vector<std::optional<Config>>& configs) {
  files::CommandFiles files;
  for (std::size_t ix = 0; ix < configs.size(); ++ix) {
    if (configs[ix])
      reads_config(files, *configs[ix]);
    else
      files.reads("a timeline", options.inputs[ix]);
  }
  for (const std::string& path : options.out) {
    const std::string ending = fs::path(path).extension().string();
    if (ending != ".html" && ending != ".csv" && ending != ".json") {
      throw ConfigError(
          fmt::format("'{}' does not say what is to be written; end it with .html, .csv or .json", shown(path)));
    }
    files.writes("--out", path);
  }
  files.writes("--json", options.json, files::json_format(), files::Streams::allowed);
}

std::string stem(const std::string& path) { return fs::path(path).stem().string(); }

/// What the names of all inputs begin with, up to a hyphen: "net-" of net-torus.toml and net-tree.toml.
std::size_t common_letters(const ExplainOptions& options) {
  std::string shared = stem(options.inputs.front());
  for (const std::string& input : options.inputs) {
    const std::string other = stem(input);
    const auto differ = std::ranges::mismatch(shared, other);
    shared.erase(differ.in1, shared.end());
  }
  return options.inputs.size() > 1 ? shared.rfind('-') + 1 : 0;
}

/// "torus" of "nets/torus.toml", or all of the path where two would have that name.
std::string name_of(const ExplainOptions& options, const std::string& path) {
  const auto alike =
      std::ranges::count_if(options.inputs, [&](const auto& other) { return stem(other) == stem(path); });
  return alike > 1 ? path : stem(path).substr(common_letters(options));
}

/// Does something with one of several inputs, which a complaint names unless it does already.
template <class F>
void of_input(const ExplainOptions& options, const std::string& path, F&& act) {
  try {
    act();
  } catch (const ConfigError& error) {
    const std::string line = error.what();
    if (options.inputs.size() == 1 || line.find(path) != std::string::npos) throw;
    throw ConfigError(fmt::format("{}: {}", path, line), error.detail());
  }
}

/// Runs, explains and prints; collective over the ranks of `transport`, of which rank 0 writes. Throws what
/// run_simulation throws, and InputError for files that are no timelines.
void explain_runs(const ExplainOptions& options, engine::Transport& transport) {
  const bool first = transport.rank() == 0;
  start_log(options.messages, transport.rank(), transport.size());
  std::vector<std::optional<Config>> configs;
  for (const std::string& path : options.inputs) {
    configs.emplace_back();
    if (!is_config(path)) {
      check_timeline(path);
      continue;
    }
    configs.back() = config_of(options, path);
    const UnusedKeys unused = options.trace.empty() ? UnusedKeys::refused : UnusedKeys::noted_in_file;
    of_input(options, path, [&] { validate(*configs.back(), unused); });
  }
  if (first) check_files(options, configs);
  Explainer explainer(options, transport);
  for (std::size_t ix = 0; ix < configs.size(); ++ix) {
    const std::string name = name_of(options, options.inputs[ix]);
    if (configs[ix]) {
      of_input(options, options.inputs[ix], [&] { explainer.run_config(*configs[ix], name); });
    } else if (first) {
      explainer.read_timeline(options.inputs[ix], name);
    }
  }
  explainer.finish();
  if (first) write_explained(explainer.runs, options);
}

void add_explain(CLI::App& app, Command& chosen) {
  const auto options = std::make_shared<ExplainOptions>();
  CLI::App* command =
      app.add_subcommand("explain", "where the time of tasks goes, and for whom they wait: one network or several");
  command
      ->add_option("RUN", options->inputs,
                   "configs (TOML), which are run, one for each network; or what a run wrote with "
                   "statistics.timeline=NAME.h5")
      ->type_name("CONFIG.toml|TIMELINE.h5")
      ->required();
  command->add_option("--trace", options->trace, "replay this trace in place of the workload of the configs")
      ->type_name("FILE");
  add_set(command, options->overrides, "of all configs: another value for a setting; may be repeated");
  command
      ->add_option("-o,--out", options->out,
                   "write a page (.html), a row for each task (.csv), or everything (.json); may be repeated")
      ->type_name("FILE.{html,csv,json}")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
  command
      ->add_option("--json", options->json, "write everything as JSON; - is standard output, with nothing else on it")
      ->type_name("FILE|-");
  command->add_flag("--no-ideal", options->no_ideal,
                    "do not run the program on a network that costs nothing, which tells serialisation from transfer");
  add_progress(command, options->progress);
  command->add_flag("-q,--quiet", options->messages.quiet, "errors only: no progress, no warnings");
  command->footer(
      "Examples:\n"
      "  weft explain examples/explain-torus.toml examples/explain-fat-tree.toml --out explained.html\n"
      "  weft explain examples/explain-*.toml --trace examples/traces/is.S.16.trc.xz\n"
      "  weft run examples/timeline.toml --set statistics.timeline=heat.h5 && weft explain heat.h5");
  command->callback(
      [options, &chosen] { chosen = [options](engine::Transport& transport) { explain_runs(*options, transport); }; });
}

[[maybe_unused]] const bool explain_registered =
    CommandRegistry::instance().add("explain", {.place = 80, .add = add_explain, .starts_programs = true});

}  // namespace
}  // namespace weft::tools
