// `weft explain`: where the time of tasks goes, and for whom they wait, on one network or several.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "engine/base/log.hpp"
#include "tools/cli/command_line.hpp"

namespace weft::tools {

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
/// Runs, explains and prints; collective over the ranks of `transport`, of which rank 0 writes. Throws what
/// run_simulation throws, and InputError for files that are no timelines.
void explain_runs(const ExplainOptions& options, engine::Transport& transport);

void add_explain(CLI::App& app, Command& chosen);

}  // namespace weft::tools
