// What `weft run` and `weft cosim` share: a simulation with its outputs.
#pragma once

#include <string>

#include "engine/base/log.hpp"
#include "engine/base/types.hpp"
#include "engine/transport.hpp"
#include "tools/cli/common_options.hpp"

namespace weft::tools {

struct RunOptions {
  ConfigChoice config;
  std::string out;                ///< HDF5 result; empty: none
  std::string json;               ///< JSON summary; "-": standard output, which then holds nothing else; empty: none
  std::string csv;                ///< figures for spreadsheets; empty: none
  std::string progress = "auto";  ///< auto, always or never
  std::string resume;             ///< checkpoint to go on from
  u32 threads = 1;                ///< ranks in each process
  bool allow_unused = false;      ///< keys of the config file may have no effect
  bool slowdown = false;          ///< run each job alone, too
  bool cosim = false;             ///< with what [cosim] names
  bool print_config = false;      ///< print frozen_toml of the config and do nothing else
  LogChoice messages;             ///< if quiet, there is neither progress nor a summary in text
};

/// --out, --json, --csv, --progress.
void add_outputs(CLI::App* command, RunOptions& options);
/// --quiet, --verbose, --log; `details`: what --verbose says.
void add_messages(CLI::App* command, LogChoice& messages, const char* details);

/// Simulates. Collective over the ranks of `transport`; rank 0 writes what comes out. The outputs are tried before the
/// simulation starts. Throws what Config::load, validate, simulate and the writers throw.
void run_simulation(const RunOptions& options, engine::Transport& transport);

}  // namespace weft::tools
