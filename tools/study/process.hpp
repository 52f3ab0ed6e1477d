// Runs of weft as child processes, alone or under mpirun: what studies of many runs are made of.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace weft::tools {

/// One run to be made.
struct RunRequest {
  std::string config;                 ///< path of the config file
  std::vector<std::string> settings;  ///< `--set`, table.key=value
  unsigned ranks = 1;
  std::string out;     ///< result file, empty = none
  std::string resume;  ///< checkpoint, empty = none
};

/// What came of it.
struct RunOutcome {
  int exit_code = 0;       ///< of weft, or of mpirun; 128 + the signal's number if a signal ended it
  nlohmann::json summary;  ///< the JSON summary; empty unless exit_code is 0
  std::string error;       ///< what it wrote to standard error
  double wall_s = 0;       ///< from start to end of the process, start of the ranks included
};

/// Runs to the end and waits for it. `weft`: path of the program; ranks > 1 run under mpirun (or what the environment
/// variable WEFT_MPIRUN names), which is allowed to start more ranks than there are cores, in which case waiting ranks
/// yield. Variables of Open MPI that are already set stay as they are. No shell is involved. Throws SystemError if no
/// process can be started or there is no room for its output.
[[nodiscard]] RunOutcome run_weft(const std::string& weft, const RunRequest& request);

/// Path of the running program.
[[nodiscard]] std::string this_program();

}  // namespace weft::tools
