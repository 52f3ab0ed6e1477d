// Runs weft itself as a child process, for the commands that need many runs: sweeps, scaling studies.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/base/system/child_process.hpp"

namespace weft::process {

struct RunRequest {
  std::string config;
  std::vector<std::string> settings;  ///< table.key=value
  unsigned ranks = 1;
  std::string out;            ///< result file, empty = none
  std::string resume;         ///< checkpoint, empty = none
  bool allow_unused = false;  ///< keys of the config file may have no effect
  unsigned threads = 1;       ///< of each process: that many more ranks
  TakesLine progress = {};    ///< called with each line of its progress, one now and then; none: it shows none
};

struct RunOutcome {
  int exit_code = 0;       ///< of weft or its launcher; 128 + the signal where one ended it
  nlohmann::json summary;  ///< empty unless exit_code is 0
  std::string error;       ///< what it wrote to standard error
  double wall_s = 0;       ///< from start to end of the process, start of MPI included
};

/// Runs `weft run` and waits for its end. Throws SystemError if no process can be started. `weft`: path of the program;
/// ranks > 1 run under mpirun (or what the environment variable WEFT_MPIRUN names), which is allowed to start more
/// ranks than there are cores, in which case waiting ranks yield; or under the command in WEFT_LAUNCHER (words, to
/// which -n RANKS is added), for example "srun --mpi=pmix". Variables of Open MPI that are already set stay as they
/// are. May be called by several threads at once.
[[nodiscard]] RunOutcome run_weft(const std::string& weft, const RunRequest& request);

/// Path of the program that runs now. Throws SystemError if the machine does not tell.
[[nodiscard]] std::string this_program();
/// A script of weft's folder tools, for messages: where it was installed with this program, else "tools/NAME" of the
/// sources.
[[nodiscard]] std::string own_script(const std::string& name);

}  // namespace weft::process
