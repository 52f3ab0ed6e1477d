// What `weft run` and `weft cosim` do: from a config file to results on the terminal and on disk.
#include "tools/cli/run_simulation.hpp"

#include <fmt/format.h>
#include <functional>
#include <iostream>
#include <memory>
#include <spdlog/spdlog.h>
#include <string_view>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/base/file/output_path.hpp"
#include "engine/base/file/standard_output.hpp"
#include "engine/base/system/cores.hpp"
#include "engine/base/text/numbers.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/table.hpp"
#include "engine/thread_team.hpp"
#include "tools/cli/command_files.hpp"
#include "tools/cli/failed_run.hpp"
#include "tools/report/terminal_summary.hpp"
#include "tools/result/csv_result.hpp"
#include "tools/result/hdf5_result.hpp"
#include "tools/result/json_summary.hpp"
#include "tools/result/timeline/timeline_file.hpp"
#include "tools/result/timeline/timeline_kind.hpp"
#include "tools/run/checkpoint/checkpointing.hpp"
#include "tools/run/checkpoint/part_file.hpp"
#include "tools/run/config/check/validate.hpp"
#include "tools/run/config/frozen.hpp"
#include "tools/run/config/output_keys.hpp"
#include "tools/run/endpoint_kind.hpp"
#include "tools/run/progress.hpp"
#include "tools/run/simulate.hpp"

namespace weft::tools {
namespace {

constexpr std::string_view checkpoint_key = "checkpoint.path", timeline_key = "statistics.timeline";

/// Tries all outputs; notes in `checkpoint` why none can be written there, if only a signal would ask for it.
void check_outputs(const RunOptions& options, const Config& config, CheckpointPlace& checkpoint) {
  if (options.out == "-") {
    throw ConfigError("--out - is not possible (HDF5 is no stream); name a file, or use --json - for a summary");
  }
  files::CommandFiles files;
  reads_config(files, config);
  const std::string resumed = "the checkpoint that the run goes on from";
  files.reads(resumed, options.resume);
  files.writes("--out", options.out, files::hdf5_format());
  files.writes("--json", options.json, files::json_format(), files::Streams::allowed);
  files.writes("--csv", options.csv, files::csv_format());
  files.writes("--log", options.messages.file, files::text_format());
  for (const char* const key : record_keys) {
    for (const std::string& path : record_paths(config, key)) {
      if (key == timeline_key && timeline_kind(path) == TimelineKind::otf2)
        timeline::check_archive(path);
      else
        files.writes(key, path, files::Streams::allowed);
    }
  }
  // It has a default, and may take the place of the one that is resumed.
  try {
    files.writes(std::string(checkpoint_key), checkpoint.path, files::Streams::refused, resumed);
  } catch (const Error& error) {
    if (checkpoint_wanted(config)) throw;
    // A directory may take files by the time that one is to be written; what the path means will not change.
    if (error.code() == ExitCode::config) checkpoint.refused = error.what();
    spdlog::warn("a signal that stops this run would lose its state: {}", error.what());
  }
}

/// That of the file; of `weft cosim` with tasks outside of the simulation.
Config config_of(const RunOptions& options) {
  if (!options.cosim) return Config::load(options.config.path, options.config.overrides);
  std::vector<std::string> overrides = options.config.overrides;
  overrides.emplace_back("workload.kind=cosim");
  Config config = Config::load(options.config.path, overrides);
  const Config of_files = config.of_files();
  if (of_files.given("workload.kind") && of_files.text("workload.kind") != "cosim") {
    throw ConfigError(
        fmt::format("{}: workload.kind = \"{}\" runs inside of the simulation; start it with weft run, or "
                    "remove it",
                    shown(of_files.place("workload.kind")), of_files.text("workload.kind")));
  }
  return config;
}

/// What [cosim] names.
std::unique_ptr<cosim::Cosimulation> join_outside(const Config& config, engine::Transport& transport) {
  if (config.integer("measure.seeds") > 1)
    throw ConfigError("measure.seeds > 1 would start all endpoints again for each seed; run weft cosim for each");
  if (checkpoint_wanted(config))
    throw ConfigError("what runs outside of weft cannot be gone on with later; remove [checkpoint]");
  return cosim::EndpointRegistry::instance().find(config.text("cosim.endpoints"))->make(config, transport);
}

/// Warns where threads will have to wait for processors.
void check_threads(u32 threads) {
  const u32 cores = usable_cores();
  if (threads <= 1 || threads <= cores) return;
  spdlog::warn("{} threads have {} to share (more are slower, not faster); give --threads {}", threads,
               counted(cores, "core"), cores);
}

/// One run, on the ranks that the threads of all processes are.
class RunOnThreads final : public engine::ThreadWork {
 public:
  using Simulate = std::function<RunResult(engine::Transport& rank)>;
  RunOnThreads(engine::Transport& processes, Simulate simulate_rank)
      : processes_(processes), simulate_(std::move(simulate_rank)) {}

  void on_rank(engine::Transport& rank) override {
    log_as(rank.rank(), rank.size());
    RunResult of_rank = simulate_(rank);
    if (rank.rank() == processes_.rank() * rank.threads()) result_ = std::move(of_rank);
  }
  void stuck() override { processes_.abort(end_failed_run(&processes_)); }

  /// That of the first rank of this process.
  [[nodiscard]] RunResult& result() { return result_; }

 private:
  engine::Transport& processes_;
  Simulate simulate_;
  RunResult result_;
};

/// The result of the first rank of this process.
RunResult simulate_on_threads(const RunOptions& options, const Config& config, engine::Transport& processes,
                              Progress& progress, const CheckpointPlace& checkpoint,
                              workloads::ExternalTasks* outside) {
  RunOnThreads work(processes, [&](engine::Transport& rank) {
    return simulate(config, rank, rank.rank() == 0 ? &progress : nullptr, options.resume, checkpoint, {}, outside,
                    options.slowdown);
  });
  try {
    engine::on_threads(processes, options.threads, work);
  } catch (...) {
    log_as(processes.rank(), processes.size());
    throw;
  }
  log_as(processes.rank(), processes.size());
  return std::move(work.result());
}

void write_outputs(const RunOptions& options, const RunResult& result) {
  // The summary first: should a disk be full now, at least that is left of a long run. Whether it arrived is asked
  // last.
  const bool text = options.json != "-" && !options.messages.quiet;
  if (text) std::cout << summary(result, files::colour_wanted()) << std::flush;
  if (!options.out.empty()) write_hdf5(result, options.out);
  if (!options.json.empty()) write_json(result, options.json);
  if (!options.csv.empty()) write_csv(result, options.csv);
  if (!text) return;
  std::string places = labelled(
      "result", options.out.empty() ? "not kept; add --out RESULT.h5 to have all of it in a file" : options.out);
  if (!options.json.empty()) places += labelled("json", options.json);
  if (!options.csv.empty()) places += labelled("csv", options.csv + ", with a file for each table beside it");
  files::print(places);
}

}  // namespace

void add_outputs(CLI::App* command, RunOptions& options) {
  command->add_option("-o,--out", options.out, "write the whole result to this HDF5 file")->type_name("RESULT.h5");
  command->add_option("--json", options.json, "write a summary as JSON; - is standard output, with nothing else on it")
      ->type_name("FILE|-");
  command
      ->add_option("--csv", options.csv,
                   "write the figures for spreadsheets, and each table beside them (FILE.series.csv ...)")
      ->type_name("FILE.csv");
  add_progress(command, options.progress);
}

void add_messages(CLI::App* command, LogChoice& messages, const char* details) {
  CLI::Option* const quiet =
      command->add_flag("-q,--quiet", messages.quiet, "errors only: no progress, no warnings, no summary in text");
  command->add_flag("--verbose", messages.verbose, details)->excludes(quiet);
  command->add_option("--log", messages.file, "add messages with their times to this file, for batch jobs")
      ->type_name("FILE");
}

void run_simulation(const RunOptions& options, engine::Transport& transport) {
  const bool first = transport.rank() == 0;
  LogChoice messages = options.messages;
  const std::string log = std::exchange(messages.file, "");  // only once it is known to be no file that is needed
  start_log(messages, transport.rank(), transport.size());
  const Config config = config_of(options);
  validate(config, options.allow_unused ? UnusedKeys::noted_in_file : UnusedKeys::refused);
  if (options.slowdown && config.jobs().empty()) {
    throw ConfigError("--slowdown compares jobs with each of them alone (the config has no [[job]]); leave it out");
  }
  if (options.print_config) {
    if (first) files::print(frozen_toml(config));
    return;
  }
  CheckpointPlace checkpoint{checkpoint_path(config, options.out), ""};
  if (first) check_outputs(options, config, checkpoint);
  if (!log.empty()) {
    transport.barrier();
    start_log(options.messages, transport.rank(), transport.size());
  }
  const std::string progress_word = options.messages.quiet ? "never" : options.progress;
  Progress progress(progress_mode(progress_word));
  const std::unique_ptr<cosim::Cosimulation> cosimulation = options.cosim ? join_outside(config, transport) : nullptr;
  if (first) check_threads(options.threads);
  RunResult result = simulate_on_threads(options, config, transport, progress, checkpoint,
                                         cosimulation ? &cosimulation->outside() : nullptr);
  if (cosimulation) cosimulation->finish(result);
  progress.finish();
  const std::string missing = first_problem(transport, log_problem());
  if (!first) return;
  write_outputs(options, result);
  if (!missing.empty()) throw SystemError(missing);
  if (result.cosim && !result.cosim->failure.empty())
    throw StuckError(result.cosim->failure, result.cosim->failure_detail);
}

}  // namespace weft::tools
