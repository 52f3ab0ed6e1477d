// Child processes without a shell: started by posix_spawn, what they say captured, ended with this process.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/types.hpp"

namespace weft::process {

struct ChildOutcome {
  int exit_code = 0;  ///< 128 + the signal where one ended it, as shells say it
  std::string output;
  std::string error;
  double wall_s = 0;
};

/// How a child is asked to stop early.
enum class StopWith : u8 {
  terminate,   ///< SIGTERM, then SIGKILL: a program
  user_signal  ///< SIGUSR1, which mpirun and srun hand on to their ranks (SIGTERM would end them at once), then SIGTERM
};

using TakesLine = std::function<bool(std::string_view line)>;

/// Runs `command` (a path, or a name that PATH leads to, and its arguments) to its end, with no standard input and
/// without the variables by which an MPI program knows that it is one of several ranks. `defaults` ("NAME=VALUE") are
/// variables for those that this process does not have. May be called by several threads
/// at once. `takes`: called with each line of its standard error soon after it has come, in the caller's thread; lines
/// for which it returns true are not in the outcome. Throws SystemError if it cannot be started.
[[nodiscard]] ChildOutcome run_child(const std::vector<std::string>& command, StopWith stop = StopWith::terminate,
                                     const std::vector<std::string>& defaults = {}, const TakesLine& takes = {});

/// What the exit code of a weft that ran as a child means for this one; `system` where it is not documented.
[[nodiscard]] ExitCode exit_code_of(int code);

/// Runs `command` as a shell would: with this process's standard streams, of which `output` is that for output, and its
/// terminal (Ctrl-C ends the command, not this process; what StopSignals takes reaches it as `stop` says).
/// `settings` ("NAME=VALUE") are variables in place of those of this process. Returns its exit code, 128 + the signal
/// where one ended it. Throws SystemError if it cannot be started.
[[nodiscard]] int run_in_front(const std::vector<std::string>& command, const std::vector<std::string>& settings,
                               int output, StopWith stop = StopWith::user_signal);

/// Variables that a child starts with: those of this process but for those by which an MPI program knows that it is one
/// of several ranks, with `settings` ("NAME=VALUE") in their place or besides.
[[nodiscard]] std::vector<std::string> environment_of_children(const std::vector<std::string>& settings);

/// While one lives, SIGINT, SIGTERM, SIGHUP and SIGUSR1 do not end this process: they ask the children of run_child to
/// stop, once. Another SIGINT (Ctrl-C) a second later or more insists. Those that this process ignores (nohup, a
/// command in the background of a script) stay ignored, by the children too. Not more than one at a time.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  /// How many signals have come since the last one was made.
  [[nodiscard]] static int received();
};

}  // namespace weft::process
