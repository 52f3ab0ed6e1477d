// `weft run`: from a config file to results on the terminal and on disk.
#include <iostream>
#include <unistd.h>

#include "engine/error.hpp"
#include "tools/config/frozen.hpp"
#include "tools/config/validate.hpp"
#include "tools/progress/progress.hpp"
#include "tools/result/hdf5_result.hpp"
#include "tools/result/json_summary.hpp"
#include "tools/result/terminal_summary.hpp"
#include "tools/simulate/simulate.hpp"
#include "tools/weft/commands.hpp"
#include "tools/weft/output.hpp"

namespace weft::tools {
namespace {

Progress::Mode progress_mode(const std::string& word) {
  if (word == "always") return Progress::Mode::always;
  if (word == "never") return Progress::Mode::never;
  WEFT_ASSERT(word == "auto");
  return Progress::Mode::automatic;
}

void check_outputs(const RunOptions& options) {
  if (options.out == "-") {
    throw ConfigError("--out - is not possible (HDF5 is no stream); name a file, or use --json - for a summary");
  }
  if (!options.out.empty() && options.out == options.json) {
    throw ConfigError("--out and --json both name '" + options.out + "' (one would replace the other); use two files");
  }
  check_output(options.out, options.config.path);
  check_output(options.json, options.config.path);
}

void write_outputs(const RunOptions& options, const RunResult& result) {
  // The summary first: should a disk be full now, at least that is left of a long run. Whether it arrived is asked last.
  const bool text = options.json != "-";
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
  const Config config = Config::load(options.config.path, options.config.overrides);
  validate(config);
  if (options.print_config) {
    if (first) print(frozen_toml(config));
    return;
  }
  if (first) check_outputs(options);
  if (first) check_output(config.text("checkpoint.path"), options.config.path);
  Progress progress(progress_mode(options.progress), std::cerr, ::isatty(STDERR_FILENO) == 1);
  const RunResult result = simulate(config, transport, first ? &progress : nullptr, options.resume);
  progress.finish();
  if (first) write_outputs(options, result);
}

}  // namespace weft::tools
