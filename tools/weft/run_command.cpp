// `weft run`: from a config file to results on the terminal and on disk.
#include <iostream>
#include <spdlog/spdlog.h>
#include <unistd.h>
#include <utility>

#include "engine/error.hpp"
#include "tools/checkpoint/checkpointing.hpp"
#include "tools/config/frozen.hpp"
#include "tools/config/validate.hpp"
#include "tools/progress/progress.hpp"
#include "tools/result/hdf5_result.hpp"
#include "tools/result/json_summary.hpp"
#include "tools/result/output_path.hpp"
#include "tools/result/terminal_summary.hpp"
#include "tools/simulate/simulate.hpp"
#include "tools/weft/commands.hpp"
#include "tools/weft/output.hpp"

namespace weft::tools {
namespace {

/// All files that a run of this config reads.
CommandFiles inputs_of(const Config& config) {
  CommandFiles files;
  reads_config(files, config);
  const auto named = [&](const char* what, const char* key) {
    const std::string path = config.text(key);
    if (!path.empty()) files.reads(what, config.resolve_path(path));
  };
  named("the trace", "workload.path");
  named("the placement file", "placement.path");
  named("the partition file", "parallel.partition_path");
  named("the checkpoint of parallel.weights", "parallel.weights");
  return files;
}

/// Tries all outputs; notes in `checkpoint` why none can be written there, if only a signal would ask for it.
void check_outputs(const RunOptions& options, const Config& config, CheckpointPlace& checkpoint) {
  if (options.out == "-") {
    throw ConfigError("--out - is not possible (HDF5 is no stream); name a file, or use --json - for a summary");
  }
  CommandFiles files = inputs_of(config);
  const std::string resumed = "the checkpoint that the run goes on from";
  files.reads(resumed, options.resume);
  files.writes("--out", options.out);
  files.writes("--json", options.json, Streams::allowed);
  files.writes("--log", options.messages.file);
  try {
    files.writes("checkpoint.path", checkpoint.path, Streams::refused, resumed);
  } catch (const Error& error) {
    if (checkpoint_wanted(config)) throw;
    // A directory may take files by the time that one is to be written; what the path means will not change.
    if (error.code() == ExitCode::config) checkpoint.refused = error.what();
    spdlog::warn("a signal that stops this run would lose its state: {}", error.what());
  }
}

void write_outputs(const RunOptions& options, const RunResult& result) {
  // The summary first: should a disk be full now, at least that is left of a long run. Whether it arrived is asked
  // last.
  const bool text = options.json != "-" && !options.messages.quiet;
  if (text) std::cout << summary(result, colour_wanted()) << std::flush;
  if (!options.out.empty()) write_hdf5(result, options.out);
  if (!options.json.empty()) write_json(result, options.json);
  if (!text) return;
  std::string places = labelled(
      "result", options.out.empty() ? "not kept; add --out RESULT.h5 to have all of it in a file" : options.out);
  if (!options.json.empty()) places += labelled("json", options.json);
  print(places);
}

}  // namespace

void run_simulation(const RunOptions& options, engine::Transport& transport) {
  const bool first = transport.rank() == 0;
  LogChoice messages = options.messages;
  const std::string log = std::exchange(messages.file, "");  // only once it is known to be no file that is needed
  start_log(messages, transport.rank(), transport.size());
  const Config config = Config::load(options.config.path, options.config.overrides);
  validate(config);
  if (options.print_config) {
    if (first) print(frozen_toml(config));
    return;
  }
  CheckpointPlace checkpoint{checkpoint_path(config, options.out), ""};
  if (first) check_outputs(options, config, checkpoint);
  if (!log.empty()) {
    transport.barrier();
    start_log(options.messages, transport.rank(), transport.size());
  }
  const std::string progress_word = options.messages.quiet ? "never" : options.progress;
  Progress progress(progress_mode(progress_word), std::cerr, ::isatty(STDERR_FILENO) == 1);
  const RunResult result = simulate(config, transport, first ? &progress : nullptr, options.resume, checkpoint);
  progress.finish();
  if (first) write_outputs(options, result);
}

}  // namespace weft::tools
